"""What workers send is believed only as far as it can be checked here."""

from __future__ import annotations

import operator
from math import inf, isfinite

import numpy as np

from prunus.errors import DisagreementError
from prunus.model.arrays import Int64Array
from prunus.treesearch.distributed.device_sharing import WorkerInfo
from prunus.treesearch.distributed.work_unit import Hello, WorkUnitResult
from prunus.treesearch.model import SolutionEvaluator


def checked_result(value: object) -> WorkUnitResult:
    """Return what a worker has sent as a result of which every field has its type.

    Raises ``ValueError`` if it is anything else.
    """
    if not isinstance(value, WorkUnitResult):
        raise ValueError(f"a worker returned {type(value).__name__}, which is not a result")
    try:
        for number in (value.cutoff, value.nodes, value.leaves):
            operator.index(number)
        if value.bound is not None:
            operator.index(value.bound)
        good = min(value.fathomed, value.nodes, value.leaves) >= 0 and value.fathomed < inf
        good = good and isfinite(value.search_s) and isfinite(value.total_s)
        good = good and _is_worker(value.worker)
        good = good and all(isinstance(name, str) for name in value.devices)
        if value.found is not None:
            objective, solution = value.found
            operator.index(objective)
            good = good and isinstance(solution, np.ndarray) and solution.dtype == np.int64
    except (TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"a worker returned a malformed result ({error})") from error
    if not good:
        raise ValueError("a worker returned a malformed result")
    return value


def checked_hello(value: object) -> Hello:
    """Do the same for a hello."""
    if not (isinstance(value, Hello) and isinstance(value.version, str)):
        raise ValueError(f"a worker returned {type(value).__name__}, which is not a hello")
    if not _is_worker(value.worker):
        raise ValueError("a worker returned a malformed hello")
    return value


def _is_worker(value: object) -> bool:
    return (
        isinstance(value, WorkerInfo)
        and isinstance(value.host, str)
        and isinstance(value.gpus, tuple)
        and all(isinstance(name, str) for name in value.gpus)
        and all(isinstance(n, int) for n in (value.pid, value.concurrency, value.cores))
    )


def mistake_in(
    problem: SolutionEvaluator, objective: int, solution: Int64Array
) -> ValueError | DisagreementError | None:
    """Return what is wrong with a solution from outside; plain code must agree with it."""
    try:
        value = problem.evaluate(solution)
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        return ValueError(f"an invalid solution ({error})")
    return None if value == objective else DisagreementError(objective, value)
