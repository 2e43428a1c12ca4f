"""Random small assignment problems of every type and shape against SciPy, statuses included.

    python -m benchmarks.assignment.against_scipy                     # 50,000, on cores
    python -m benchmarks.assignment.against_scipy --gpu               # and as stacks of PyTorch's
    python -m benchmarks.assignment.against_scipy --processes 8

Each matrix has a shape of up to 40 x 60, a type, a pattern of values (few distinct ones, a wide
range, uniform), perhaps forbidden pairs, seldom a NaN, perhaps a limit of costs, and is minimised
or maximised. SciPy either has an optimum or raises (with a limit: of the matrix in which nothing is
worse); `linear_sum_assignment` must do the same, in its words, and every second matrix goes through
`solve`, whose status, bound and dual prices are checked, too. On a GPU matrices of a kind are a
stack (ragged, every third time) that is solved in one launch, and by `solve`. Sums are compared
exactly for integers, and within 1e-12 for floats.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import multiprocessing
import time
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment as scipy_assignment

import prunus

KINDS = (
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "float32", "float64"),
)
COUNT = collections.Counter[str]


def drawn(rng: np.random.Generator, count: int) -> tuple[Any, bool, Any]:
    """Return some matrices of one shape and type, the sense, and a limit of costs or None."""
    n, m = (int(side) for side in rng.integers(1, 7, 2) ** rng.choice([1, 2], 2))
    shape = (count, min(n, 40), min(m + n * int(rng.integers(0, 2)), 60))
    kind = np.dtype(str(rng.choice(KINDS)))
    high = int(rng.choice([2, 10, 1000, 2**20, 2**45]))
    if kind.kind == "f":
        values = rng.random(shape) * min(high, 1000 if kind.itemsize == 2 else high)
        values = values.round() if rng.random() < 0.3 else values
    else:
        low = 0 if kind.kind in "ub" else -high
        most = 1 if kind.kind == "b" else np.iinfo(kind).max
        least = 0 if kind.kind in "ub" else np.iinfo(kind).min
        values = rng.integers(max(low, least), min(high, most) + 1, shape)
    values = values.astype(kind)
    maximise = bool(rng.integers(2))
    if kind.kind == "f":
        share = float(rng.choice([0, 0, 0.1, 0.5, 0.9]))
        values[rng.random(shape) < share] = -np.inf if maximise else np.inf
        if rng.random() < 0.1:
            values[int(rng.integers(count)), 0, 0] = np.nan
    limit = rng.choice(values.ravel()) if rng.random() < 0.25 else np.nan
    return values, maximise, +limit.item() if np.isfinite(limit) else None


def within(values: Any, limit: Any, maximise: bool) -> Any:
    """Return values of which none is worse than the limit."""
    if limit is None:
        return values
    limit = values.dtype.type(limit)
    return np.maximum(values, limit) if maximise else np.minimum(values, limit)


def exact(values: Any) -> Any:
    """Return values of which sums are exact, or nearly."""
    return values.astype(object if values.dtype.kind in "biu" else np.float64)


def wanted(matrix: Any, maximise: bool) -> tuple[str, Any]:
    """Return what SciPy says: the sum, or its words."""
    # It adds in float64, which holds all sums of these.
    costs = matrix.astype(np.float64)
    try:
        pairs = scipy_assignment(costs, maximise)
    except ValueError as error:
        return str(error), None
    return "", exact(matrix)[pairs].sum()


def same(found: Any, best: Any) -> bool:
    """Compare two sums."""
    if isinstance(best, float):
        return bool(abs(float(found) - best) <= 1e-12 * max(1.0, abs(best)))
    return bool(found == best)


def total(matrix: Any, pairs: Any, limit: Any, maximise: bool) -> Any:
    """Return the sum over pairs, and the limit for those that are missing; NaN if one is beyond."""
    chosen = matrix[pairs]
    if limit is None:
        return chosen.sum() if len(chosen) == min(matrix.shape) else np.nan
    if (chosen < limit if maximise else chosen > limit).any():
        return np.nan
    return chosen.sum() + limit * (min(matrix.shape) - len(chosen))


def check_cores(matrix: Any, maximise: bool, limit: Any, k: int, counts: COUNT) -> None:
    """Compare a matrix on cores."""
    kept = within(matrix, limit, maximise)
    words, best = wanted(kept, maximise)
    counts["matrices on cores"] += 1
    counts["of these refused or infeasible"] += best is None
    counts["of these with a limit"] += limit is not None
    try:
        pairs = prunus.linear_sum_assignment(matrix, maximise, cost_limit=limit)
        said = ""
    except ValueError as error:
        said = str(error)
    if said != words or (
        best is not None and not same(total(exact(matrix), pairs, limit, maximise), best)
    ):
        counts["WRONG on cores"] += 1
        print("WRONG on cores:", matrix.dtype, matrix.shape, maximise, limit, words, said)
    if k % 2 or matrix.dtype in (np.float16, np.uint64) or "invalid" in words:
        return
    counts["solves on cores"] += 1
    problem = prunus.Assignment(matrix, maximize=maximise, cost_limit=limit)
    check_result(problem, kept, prunus.solve(problem, devices="cpu:1"), best, counts)


def check_result(problem: Any, matrix: Any, result: Any, best: Any, counts: COUNT) -> None:
    """Compare what ``solve`` says of a matrix or a stack: status, objective, bound and prices.

    In the matrix nothing is worse than the limit.
    """
    if best is None:
        right = result.status is prunus.Status.INFEASIBLE and result.solution is None
    else:
        host = result.host_solution
        right = result.status is prunus.Status.OPTIMAL and result.bound == result.objective
        right = right and same(result.objective, best) and same(problem.evaluate(host), best)
        right = right and proven(problem, matrix, result.duals, best)
    counts[f"status {result.status.value}"] += 1
    if not right:
        counts["WRONG solves"] += 1
        print("WRONG solve:", problem, matrix.dtype, result, best, flush=True)


def proven(problem: Any, matrix: Any, duals: Any, best: Any) -> bool:
    """Tell whether prices prove the optimum; there are none beside a limit far from all values."""
    if duals is None:
        limit = abs(problem.cost_limit or 0)
        return bool((np.abs(matrix[np.abs(matrix) != limit]) * 2.0**20 < limit).all())
    agents, jobs = duals
    slack = agents[..., :, None].astype(float) + jobs[..., None, :] - matrix.astype(float)
    slack = slack if problem.maximise else -slack
    near = 1e-9 * max(1.0, float(np.abs(agents).max()), float(np.abs(jobs).max()))
    total = float(agents.sum()) + float(jobs.sum())
    return bool((slack >= -near).all()) and abs(total - float(best)) <= 1e-9 * max(1.0, abs(total))


def check_gpu(stack: Any, maximise: bool, limit: Any, k: int, counts: COUNT) -> None:
    """Compare a stack on a GPU."""
    import torch

    rng = np.random.default_rng(k)
    held = torch.as_tensor(stack).cuda()
    sizes = None
    parts = list(stack)
    if k % 3 == 0:
        sizes = np.stack([rng.integers(0, size + 1, len(stack)) for size in stack.shape[1:]], 1)
        parts = [stack[b, :n, :m] for b, (n, m) in enumerate(sizes.tolist())]
    answers = [
        wanted(within(part, limit, maximise), maximise) if part.size else ("", 0) for part in parts
    ]
    counts["matrices on the GPU"] += len(parts)
    options = {"maximize": maximise, "sizes": sizes, "cost_limit": limit}
    rows, columns = (
        part.cpu().numpy() for part in prunus.linear_sum_assignment(held, **options, check=False)
    )
    for part, (words, best), i, j in zip(parts, answers, rows, columns, strict=True):
        size = int((i >= 0).sum())
        pairs = i[:size], j[:size]
        right = (i[size:] == -1).all() and (j[size:] == -1).all() and (j[:size] >= 0).all()
        right = right and len(set(i[:size].tolist())) == len(set(j[:size].tolist())) == size
        if best is None:
            right = right and size == 0
        elif part.size:
            right = right and same(total(exact(part), pairs, limit, maximise), best)
        counts["of these refused or infeasible there"] += best is None
        if not right:
            counts["WRONG on the GPU"] += 1
            print("WRONG on the GPU:", part.dtype, part.shape, maximise, limit, words, best)
    wrong = next((word for word, best in answers if best is None), "")
    try:
        prunus.linear_sum_assignment(held, **options)
        said = ""
    except ValueError as error:
        said = str(error)
    if bool(said) != bool(wrong):
        counts["WRONG on the GPU"] += 1
        print("WRONG words:", stack.dtype, stack.shape, wrong, said)
    if sizes is not None or any("invalid" in w for w, _ in answers):
        return
    problem = prunus.Assignment(held, maximize=maximise, cost_limit=limit)
    result = prunus.solve(problem, devices="cuda:0")
    if result.solution is not None and not isinstance(result.solution, torch.Tensor):
        counts["WRONG library"] += 1
    sums = [best for _, best in answers]
    best = None if None in sums else sum(sums)
    counts["solves on the GPU"] += 1
    kept = within(stack, limit, maximise)
    check_result(problem, kept, result, best, counts)
    if k % 2 == 0:
        first = prunus.Assignment(held[0], maximize=maximise, cost_limit=limit)
        single = prunus.solve(first, devices="cuda:0")
        counts["solves of one matrix on the GPU"] += 1
        check_result(first, kept[0], single, sums[0], counts)


def compare(count: int, seed: int, seconds: float, on_gpu: bool) -> COUNT:
    """Compare so many matrices, or as many as there is time for; return what was counted."""
    rng = np.random.default_rng(seed)
    counts: COUNT = collections.Counter()
    began, done, k = time.perf_counter(), 0, 0
    while done < count and time.perf_counter() - began < seconds:
        stack, maximise, limit = drawn(rng, 50)
        for matrix in stack:
            check_cores(matrix, maximise, limit, done, counts)
            done += 1
        if on_gpu:
            check_gpu(stack, maximise, limit, k, counts)
        k += 1
    return counts


def main() -> None:
    """Compare as many as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--gpu", action="store_true", help="on a GPU as well, as stacks")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9, help="end after so many")
    parser.add_argument("--processes", type=int, default=1, help="each with another seed")
    given = parser.parse_args()
    began = time.perf_counter()
    each = -(-given.count // given.processes)
    with concurrent.futures.ProcessPoolExecutor(
        given.processes, multiprocessing.get_context("spawn")
    ) as pool:
        parts = [
            pool.submit(compare, each, given.seed + k, given.seconds, given.gpu)
            for k in range(given.processes)
        ]
        counts = sum((part.result() for part in parts), collections.Counter[str]())
    for what, number in sorted(counts.items()):
        print(f"{number:8d} {what}")
    print(f"{time.perf_counter() - began:.0f} s, seeds from {given.seed} on")
    if any(what.startswith("WRONG") for what in counts):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
