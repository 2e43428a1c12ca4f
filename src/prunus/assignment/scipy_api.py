"""``linear_sum_assignment``: SciPy's call, its answers, and its words when something is wrong."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Literal, TypeVar, overload

import numpy as np

from prunus._native.assignment import plain_pairs
from prunus.assignment.exact.dense import NO_LISTS
from prunus.assignment.scipy_matrix import INFEASIBLE, NOT_FINITE, numbers
from prunus.errors import InputError, OptionError
from prunus.hardware.devices import available_cores
from prunus.hardware.resident import is_resident
from prunus.model.arrays import AnyArray, Int64Array
from prunus.model.scalar import truth

Pairs = tuple[Int64Array, Int64Array]

_Solve = TypeVar("_Solve", bound=Callable[..., tuple[Int64Array, ...]])


def _plain_first(solve: _Solve) -> _Solve:
    """Solve plain matrices before a function that solves everything is called.

    For the smallest every tenth of a microsecond counts, which Python spends on filling in options
    that are not given.
    """

    @wraps(solve)
    def call(cost_matrix: Any, maximize: Any = False, **options: Any) -> tuple[Int64Array, ...]:
        if not options:
            pairs = plain_pairs(cost_matrix, maximize, NO_LISTS)
            if pairs is not None:
                return pairs
        return solve(cost_matrix, maximize, **options)

    return call  # type: ignore[return-value]


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


@_plain_first
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

    Uses all cores available to the process. Integers of up to 64 bits are exact: they are never
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
    waits = truth("check", check)
    if is_resident(cost_matrix):
        pairs = _on_device(cost_matrix, maximise, cost_limit, ties, sizes, check=waits)
        if not truth("return_unmatched", return_unmatched):
            return pairs
        from prunus.assignment.gpu.device_pairs import unmatched_there

        return *pairs, *unmatched_there(cost_matrix, pairs)
    return _any_form(cost_matrix, maximise, cost_limit, return_unmatched, ties, sizes)


_ONLY_ONE = "return_unmatched is for one matrix, not for a stack"


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
    matrix = numbers(given)
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
        raise InputError(NOT_FINITE) from None
    if columns is None:
        raise InputError(INFEASIBLE)
    rows = np.flatnonzero(columns >= 0)
    return rows, columns[rows]
