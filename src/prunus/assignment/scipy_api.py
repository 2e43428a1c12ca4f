"""``linear_sum_assignment``: SciPy's call, its answers, and its words when something is wrong."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Literal, TypeVar, overload

import numpy as np

from prunus.errors import InputError, OptionError
from prunus.hardware.devices import available_cores
from prunus.hardware.resident import is_resident
from prunus.model.arrays import AnyArray, Int64Array
from prunus.model.scalar import truth

_NO_LISTS = 1_000_000
"""Up to so many entries the compact kernel solves everything, see ``exact.whole_rows``."""

_QUICK = frozenset("?bBhHiIlLqQefd")
"""Types of at most 64 bits that NumPy turns into float64; what that rounds is noticed."""

_ARRAY = ("__array__", "__array_interface__", "__array_struct__", "__buffer__")

Pairs = tuple[Int64Array, Int64Array]

_NDARRAY, _FLOAT64, _INT64 = np.ndarray, np.dtype(np.float64), np.dtype(np.int64)
_empty, _asarray = np.empty, np.asarray

_small_entries = _small_columns = _small_side = 0
"""The most entries and columns of what `_small_kernel` solves, and the largest square; none before
it is imported, with Numba, which takes longer than all the rest."""

_small_float64 = 0
_small_flags: Mapping[str, int] = {}
_small_kernel: Callable[[AnyArray, int, Int64Array, Int64Array, Int64Array], int]
_no_work: Int64Array
_solve_pairs: Callable[..., tuple[int, Int64Array, Int64Array, Int64Array]] | None = None
"""See `prunus.assignment.exact.compact_paths`."""

_Solve = TypeVar("_Solve", bound=Callable[..., tuple[Int64Array, ...]])


def _small_first(solve: _Solve) -> _Solve:
    """Solve small plain matrices at once, as every tenth of a microsecond counts for the smallest.

    Python spends a tenth of one on filling in options that are not given.
    """

    @wraps(solve)
    def call(cost_matrix: Any, maximize: Any = False, **options: Any) -> tuple[Int64Array, ...]:
        if options:
            return solve(cost_matrix, maximize, **options)
        matrix = cost_matrix
        if type(matrix) is not _NDARRAY:
            if type(matrix) is not list:
                return solve(cost_matrix, maximize)
            try:
                matrix = _asarray(cost_matrix)
            except (TypeError, ValueError):
                return solve(cost_matrix, maximize)
        shape = matrix.shape
        if len(shape) == 2:
            n, m = shape
            if 0 < n <= m <= _small_side or _small_shape(n, m):
                costs = matrix
                if matrix.dtype is _FLOAT64:
                    flags, order = _small_float64, matrix.flags
                    if not order.carray:
                        if not order.aligned or not order.forc:
                            costs = matrix.astype(_FLOAT64, "C")
                        elif not order.c_contiguous:
                            costs = matrix.T
                            flags += 4
                else:
                    flags = _small_flags.get(matrix.dtype.char, -1)
                    if flags < 0:
                        return solve(cost_matrix, maximize)
                    costs = matrix.astype(_FLOAT64, "C")
                if maximize is not False:
                    flags += maximize is True or truth("maximize", maximize)
                if n > m:
                    n = m
                rows, columns = _empty(n, _INT64), _empty(n, _INT64)
                if _small_kernel(costs, flags, rows, columns, _no_work) == 0:
                    return rows, columns
            elif 0 < n * m <= _NO_LISTS and matrix.dtype.char in _QUICK:
                return _whole_rows(matrix, truth("maximize", maximize))
        return solve(matrix if matrix.dtype.char in _QUICK else cost_matrix, maximize)

    return call  # type: ignore[return-value]


def _whole_rows(matrix: AnyArray, maximise: bool) -> Pairs:
    """Solve a matrix of at most ``_NO_LISTS`` entries, of types that float64 holds."""
    solve = _solve_pairs or _compact_kernel()
    status, rows, columns, _ = solve(matrix, maximise)
    if status == 0:
        return rows, columns
    if status in _WORDS:
        raise InputError(_WORDS[status])
    return _optimum(_numbers(matrix), maximise)


def _small_shape(n: int, m: int) -> bool:
    """Tell whether a matrix of this shape is small."""
    return 0 < n * m <= _small_entries and n <= _small_columns and m <= _small_columns


@overload
def linear_sum_assignment(
    cost_matrix: Any,
    maximize: bool = False,
    *,
    cost_limit: float | None = None,
    return_unmatched: Literal[False] = False,
    ties: str = "any",
    sizes: object = None,
    check: bool = True,
) -> Pairs: ...


@overload
def linear_sum_assignment(
    cost_matrix: Any,
    maximize: bool = False,
    *,
    cost_limit: float | None = None,
    return_unmatched: Literal[True],
    ties: str = "any",
    sizes: object = None,
    check: bool = True,
) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array]: ...


@_small_first
def linear_sum_assignment(
    cost_matrix: Any,
    maximize: bool = False,
    *,
    cost_limit: float | None = None,
    return_unmatched: bool = False,
    ties: str = "any",
    sizes: object = None,
    check: bool = True,
) -> tuple[Int64Array, ...]:
    """Solve the linear assignment problem; a drop-in replacement for SciPy's function.

    Uses all cores available to the process. Integers of any size are exact: they are never
    rounded to floats.

    Parameters
    ----------
    cost_matrix
        Shape (n, m). Infinite entries (of the unfavourable sign) are forbidden pairs. Arrays must
        be of a type that converts safely to float64, as for SciPy; anything else is converted.
        Shape (count, n, m) is a stack of matrices, each solved on its own. For a SciPy sparse
        matrix, the stored entries are the allowed pairs, as in
        ``scipy.sparse.csgraph.min_weight_full_bipartite_matching``: explicit zeros are left out
        with a warning. An array in a GPU's memory, of PyTorch, CuPy, JAX or anything else that
        supports DLPack, of real numbers of at most 64 bits (float16 and bfloat16 included), is
        solved there: a stack in one launch, in the stream in which its library works.
    maximize
        Whether to find the largest sum instead of the smallest.
    cost_limit
        Pairs that cost more than this (less, when maximising) stay unmatched. The sum of cost
        minus limit over all matched pairs is then minimised, so the answer may have fewer than
        min(n, m) pairs, and no matrix is infeasible.
    return_unmatched
        Also return the rows and the columns without a partner. Not for stacks.
    ties
        Which of several optimal assignments: ``"any"``, or ``"scipy"`` for the one that SciPy
        returns, by its algorithm in float64, which takes about as long as SciPy does (and on the
        host: an array of a GPU is copied).
    sizes
        For a stack: how much of each matrix to use, if matrices of different sizes are stored in
        one array. Integers of shape (count,), the numbers of columns, or (count, 2), those of rows
        and columns; for an array on a GPU, best on the same GPU. Everything else is ignored.
    check
        For arrays on a GPU. True waits for the result and raises the errors below. False does not
        wait: the work stays in the stream, which may be captured as a CUDA graph, and a matrix
        that has no assignment or holds an invalid cost gets -1 everywhere. (One matrix of more than
        two million entries is waited for in any case, except in a graph.)

    Returns
    -------
    row_ind, col_ind : ndarray of int64
        Of length min(n, m), or fewer with a ``cost_limit``: the pairs of an optimal assignment,
        sorted by row. If several are optimal, the choice may differ from SciPy's.
        For a stack, the shapes are (count, min(n, m)), with -1 in both arrays at the end of a
        matrix for which ``cost_limit`` or ``sizes`` leave fewer pairs. For an array on a GPU, they
        are arrays of its library there, of int64 (int32 where JAX has no int64), and always of
        length min(n, m).
    unmatched_rows, unmatched_columns : ndarray of int64
        Only with ``return_unmatched``; in ascending order.

    Raises
    ------
    InputError
        A ``ValueError``: if it is not a matrix, holds NaN or infinity of the wrong sign, or allows
        no assignment; if sizes do not fit.
    TypeError
        If its entries cannot be converted safely to numbers.

    Examples
    --------
    >>> rows, columns = linear_sum_assignment([[4, 1, 3], [2, 0, 5], [3, 2, 2]])
    >>> columns
    array([1, 0, 2])
    """
    maximise = truth("maximize", maximize)
    if is_resident(cost_matrix):
        waits = truth("check", check)
        pairs = _on_device(cost_matrix, maximise, cost_limit, ties, sizes, check=waits)
        if not truth("return_unmatched", return_unmatched):
            return pairs
        from prunus.assignment.gpu.device_pairs import unmatched_there

        return *pairs, *unmatched_there(cost_matrix, pairs)
    return _any_form(cost_matrix, maximise, cost_limit, return_unmatched, ties, sizes)


_ONLY_ONE = "return_unmatched is for one matrix, not for a stack"

_WORDS = {1: "cost matrix is infeasible", 2: "matrix contains invalid numeric entries"}
"""What is said where the compact kernel finds one of these."""


def _compact_kernel() -> Callable[..., tuple[int, Int64Array, Int64Array, Int64Array]]:
    """Import the compact kernel; from then on small matrices come to it directly."""
    global _small_columns, _small_entries, _small_side, _small_flags, _small_float64
    global _small_kernel, _no_work, _solve_pairs
    from prunus.assignment.exact import compact_paths, working_memory

    if _small_columns == 0:
        _small_kernel, _no_work = compact_paths.small_kernel(), compact_paths.NO_WORK
        _small_flags = compact_paths.SMALL_FLAGS
        _small_float64 = _small_flags["d"]
        _small_entries = working_memory.STACKED_ENTRIES
        _small_columns = working_memory.STACKED_COLUMNS
        _small_side = math.isqrt(_small_entries)
        _solve_pairs = compact_paths.solve_pairs
    return compact_paths.solve_pairs


def _any_form(
    given: Any,
    maximise: bool,
    limit: float | None,
    unmatched: bool,
    ties: str,
    sizes: object,
) -> tuple[Int64Array, ...]:
    """Solve whatever may be given on the host, with all options."""
    from prunus.assignment import scipy_forms as forms

    if ties not in ("any", "scipy"):
        raise OptionError("ties", "is not one of any, scipy", ties)
    unmatched = truth("return_unmatched", unmatched)
    if hasattr(given, "tocsr"):
        if ties == "scipy" or sizes is not None:
            raise InputError("ties and sizes are for dense matrices")
        pairs = forms.solve_sparse(given, maximise, limit)
        return forms.with_unmatched(pairs, given.shape) if unmatched else pairs
    matrix = _numbers(given)
    if sizes is not None:
        if unmatched:
            raise InputError(_ONLY_ONE)
        return forms.solve_ragged(
            matrix, sizes, lambda part: _any_form(part, maximise, limit, False, ties, None)
        )
    solve = forms.as_scipy if ties == "scipy" else _optimum
    if matrix.ndim == 2 and limit is not None and ties == "any":
        few = forms.solve_few(matrix, maximise, limit)
        if few is not None:
            return forms.with_unmatched(few, matrix.shape) if unmatched else few
    kept = matrix if limit is None else forms.within_reach(matrix, limit, maximise)
    if matrix.ndim == 2:
        pairs = solve(kept, maximise)
        if limit is not None:
            pairs = forms.within_limit(matrix, pairs, limit, maximise)
        return forms.with_unmatched(pairs, matrix.shape) if unmatched else pairs
    if unmatched:
        raise InputError(_ONLY_ONE)
    stacked = forms.solve_stacked(kept, maximise, solve, quickly=ties == "any")
    return stacked if limit is None else forms.within_limit(matrix, stacked, limit, maximise)


def _on_device(
    given: Any,
    maximise: bool,
    limit: float | None,
    ties: str,
    sizes: object,
    *,
    check: bool,
) -> Pairs:
    """Solve an array in a GPU's memory; its own library holds the answer."""
    from prunus.assignment.gpu.device_pairs import device_pairs

    if ties not in ("any", "scipy"):
        raise OptionError("ties", "is not one of any, scipy", ties)

    def on_host(values: AnyArray, sizes: object) -> Pairs:
        return _any_form(values, maximise, limit, False, ties, sizes)[:2]  # type: ignore[return-value]

    return device_pairs(
        given,
        maximise=maximise,
        limit=limit,
        sizes=sizes,
        check=check,
        on_host=on_host,
        there=ties == "any",
    )


def _optimum(matrix: AnyArray, maximise: bool) -> Pairs:
    """Solve one matrix of any size."""
    from prunus.assignment.exact.optimum import NotFiniteError, optimum

    try:
        columns = optimum(matrix, maximise, available_cores())
    except NotFiniteError:
        raise InputError(_WORDS[2]) from None
    if columns is None:
        raise InputError(_WORDS[1])
    rows = np.flatnonzero(columns >= 0)
    return rows, columns[rows]


def _numbers(cost_matrix: Any) -> AnyArray:
    """Return a matrix or a stack of float32, float64, int64 or uint64; other kinds as float64.

    As in SciPy, an array must be of a kind that float64 can hold safely; whatever else NumPy makes
    an array of, it makes one of float64 of, strings and None and all.
    """
    try:
        if hasattr(cost_matrix, "__dlpack__") and not _is_array(cost_matrix):
            cost_matrix = np.from_dlpack(cost_matrix)
        try:
            matrix = np.asarray(cost_matrix)
        except (TypeError, ValueError):
            matrix = np.asarray(cost_matrix, dtype=np.float64)
        if matrix.dtype.kind not in "biuf" or not np.can_cast(matrix.dtype, np.float64):
            # Not bytes, buffers since Python 3.12: they are text, to NumPy.
            if _is_array(cost_matrix) and not isinstance(cost_matrix, bytes):
                matrix = matrix.astype(np.float64, casting="safe")
            else:
                matrix = np.asarray(cost_matrix, dtype=np.float64)
    except ValueError as error:
        raise InputError(str(error)) from None
    if matrix.ndim not in (2, 3):
        raise InputError(f"expected a matrix (2-D array), got a {matrix.ndim} array")
    if matrix.dtype.kind == "i" and matrix.dtype.itemsize == 8:
        return matrix.astype(np.int64, copy=False)
    if matrix.dtype.kind == "u" and matrix.dtype.itemsize == 8:
        whole = np.uint64 if matrix.max(initial=0) >= 2**63 else np.int64
        return matrix.astype(whole, copy=False)
    if matrix.dtype != np.float32 or not matrix.dtype.isnative:
        return matrix.astype(np.float64, copy=False)
    return matrix


def _is_array(given: Any) -> bool:
    """Tell whether NumPy takes something for an array."""
    return any(hasattr(given, name) for name in _ARRAY)
