"""Random assignment problems of every type, layout and size on a GPU against SciPy.

    python -m benchmarks.assignment.contract                       # a minute
    python -m benchmarks.assignment.contract --seconds 600 --processes 16

Without a limit of time every answer is the optimum, or says that there is none: on whatever device,
of arrays of NumPy, PyTorch, CuPy and JAX, of 1 to 2000 rows, tall, wide, transposed, with gaps
between their entries, read-only, with forbidden pairs and limits of costs, in stacks and ragged
stacks. ``solve`` and `linear_sum_assignment` are asked by turns. Objectives are compared with
SciPy's (exactly for integers, within 1e-12 for floats), which other processes ask, and dual prices
are held against every pair. Warnings are counted, which says what was solved elsewhere, and how
often that was said.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import multiprocessing
import os
import threading
import time
import warnings
from typing import Any, NamedTuple

import numpy as np

import prunus
from benchmarks.assignment.against_scipy import exact, same, total, wanted, within

KINDS = (
    *("float32", "float64", "int32", "int64", "float16", "bfloat16", "int16"),
    *("bool", "int8", "uint8", "uint16", "uint32", "uint64"),
)
LAYOUTS = ("rows", "columns", "gaps", "read-only")
LIBRARIES = ("numpy", "torch", "cupy", "jax")
COUNT = collections.Counter[str]


class Case(NamedTuple):
    """One problem, or a stack."""

    values: Any
    """In NumPy; of bfloat16 as float32."""
    kind: str
    maximise: bool
    limit: Any
    sizes: Any
    """Of the matrices of a ragged stack, else None."""
    layout: str
    library: str
    solve: bool
    """By ``solve``; else by `linear_sum_assignment`."""

    def parts(self) -> list[Any]:
        """Return all matrices."""
        stack = self.values if self.values.ndim == 3 else self.values[None]
        if self.sizes is None:
            return list(stack)
        return [one[:n, :m] for one, (n, m) in zip(stack, self.sizes.tolist(), strict=True)]

    def words(self) -> str:
        """Say what it is."""
        return (
            f"{self.library} {self.kind} {self.values.shape} {self.layout} max={self.maximise} "
            f"limit={self.limit} ragged={self.sizes is not None} solve={self.solve}"
        )


def case(seed: int) -> Case:
    """Draw a problem."""
    rng = np.random.default_rng(seed)
    library, kind = str(rng.choice(LIBRARIES)), str(rng.choice(KINDS))
    if library in ("numpy", "cupy") and kind == "bfloat16":
        kind = "float16"
    n = int(np.exp(rng.uniform(0, np.log(2000))))
    m = int(n * rng.choice([1, 1, 1, 1.1, 2])) + int(rng.choice([0, 0, 1, 3]))
    shape: tuple[int, ...] = (n, m) if rng.random() < 0.5 else (m, n)
    if n <= 200 and rng.random() < 0.4:
        shape = (int(rng.integers(1, max(2, 20_000 // (n * m)))), *shape)
    values = _values(rng, shape, kind)
    maximise = bool(rng.integers(2))
    if values.dtype.kind == "f":
        share = float(rng.choice([0, 0, 0.2, 0.9]))
        away = rng.random(shape) < share
        if rng.random() < 0.7:
            away[..., np.arange(min(n, m)), np.arange(min(n, m))] = False
        values[away] = -np.inf if maximise else np.inf
    limit = None
    if rng.random() < 0.25:
        share = rng.choice([0.0, 0.01, 0.1, 0.5, 1.0])
        limit = np.quantile(values.ravel()[:1000].astype(np.float64), share, method="nearest")
        limit = None if np.isinf(limit) else limit if values.dtype.kind == "f" else int(limit)
    solve = library == "numpy" or bool(rng.integers(2))
    sizes = None
    if len(shape) == 3 and not solve and rng.random() < 0.5:
        sizes = np.stack([rng.integers(1, side + 1, shape[0]) for side in shape[1:]], axis=1)
    layout = str(rng.choice(LAYOUTS))
    return Case(values, kind, maximise, limit, sizes, layout, library, solve)


def _values(rng: np.random.Generator, shape: tuple[int, ...], kind: str) -> Any:
    high = int(rng.choice([2, 100, 10**6, 10**12]))
    if kind == "bfloat16":
        bits = rng.integers(0x3C00, 0x4400, shape).astype(np.uint32) << 16
        return bits.view(np.float32)
    number = np.dtype(kind)
    if number.kind == "f":
        values = rng.random(shape) * min(high, 1000 if kind == "float16" else high)
        return (values.round() if rng.random() < 0.3 else values).astype(number)
    most = 1 if number.kind == "b" else int(np.iinfo(number).max)
    least = -min(high, most) if number.kind == "i" else 0
    return rng.integers(least, min(high, most) + 1, shape).astype(number)


def answers(seed: int) -> list[Any]:
    """Return what SciPy says of all matrices of a problem: sums, None where there is none."""
    one = case(seed)
    return [wanted(within(part, one.limit, one.maximise), one.maximise)[1] for part in one.parts()]


def placed(one: Case) -> Any:
    """Return the values as an array of a library on the card, laid out as wanted."""
    values = one.values
    if one.library == "numpy":
        values = _laid(values, one.layout, np.zeros)
        values.setflags(write=one.layout != "read-only")
        return values
    if one.library == "cupy":
        import cupy

        return _laid(cupy.asarray(values), one.layout, cupy.zeros)
    if one.library == "torch":
        import torch

        number = getattr(torch, one.kind)
        held = torch.as_tensor(values).cuda().to(number)
        if one.layout == "columns":
            return held.transpose(-1, -2).contiguous().transpose(-1, -2)
        if one.layout == "gaps":
            wide = torch.zeros((*values.shape[:-1], 2 * values.shape[-1]), dtype=number)
            wide = wide.cuda()
            wide[..., ::2] = held
            return wide[..., ::2]
        return held.requires_grad_() if held.is_floating_point() else held
    import jax

    jax.config.update("jax_enable_x64", True)
    return jax.numpy.asarray(values, dtype=one.kind)


def _laid(values: Any, layout: str, zeros: Any) -> Any:
    if layout == "columns":
        axes = (*range(values.ndim - 2), values.ndim - 1, values.ndim - 2)
        return values.transpose(axes).copy().transpose(axes)
    if layout == "gaps":
        wide = zeros((*values.shape[:-1], 2 * values.shape[-1]), values.dtype)
        wide[..., ::2] = values
        return wide[..., ::2]
    return values.copy()


def pairs_right(one: Case, held: Any, best: list[Any]) -> bool:
    """Tell whether `linear_sum_assignment` finds pairs of the same sums, or raises."""
    options = {"cost_limit": one.limit, "sizes": one.sizes}
    try:
        found = prunus.linear_sum_assignment(held, one.maximise, **options)
    except ValueError as error:
        return None in best and "infeasible" in str(error)
    if None in best or any(type(part).__module__ != type(held).__module__ for part in found):
        return False
    rows, columns = (np.asarray(_back(part)) for part in found)
    rows, columns = (part[None] if part.ndim == 1 else part for part in (rows, columns))
    for part, i, j, wants in zip(one.parts(), rows, columns, best, strict=True):
        count = int((i >= 0).sum())
        if (i[count:] != -1).any() or (j[count:] != -1).any() or len(set(j[:count])) != count:
            return False
        if not same(total(exact(part), (i[:count], j[:count]), one.limit, one.maximise), wants):
            return False
    return True


def _back(array: Any) -> Any:
    return array.cpu() if hasattr(array, "cpu") else array.get() if hasattr(array, "get") else array


def result_right(one: Case, held: Any, best: list[Any], devices: str) -> bool:
    """Tell whether ``solve`` proves the same optimum by dual prices, or that there is none."""
    problem = prunus.Assignment(held, maximize=one.maximise, cost_limit=one.limit)
    result = prunus.solve(problem, devices=devices)
    if None in best:
        return result.status is prunus.Status.INFEASIBLE and result.solution is None
    wants = sum(best)
    if result.status is not prunus.Status.OPTIMAL or not same(result.objective, wants):
        return False
    if result.bound != result.objective or problem.evaluate(result.solution) != result.objective:
        return False
    if result.duals is None:
        return False
    agents, jobs = result.duals
    reach = within(one.values, one.limit, one.maximise).astype(np.float64)
    slack = agents[..., :, None].astype(float) + jobs[..., None, :] - reach
    slack = slack if one.maximise else -slack
    near = 1e-9 * max(1.0, float(np.abs(agents).max()), float(np.abs(jobs).max()))
    sums = float(agents.sum()) + float(jobs.sum())
    return bool((slack >= -near).all()) and abs(sums - float(wants)) <= 1e-9 * max(1.0, abs(sums))


def check(seed: int, best: list[Any], counts: COUNT) -> None:
    """Compare one problem."""
    one = case(seed)
    counts[f"{one.library}, {'solve' if one.solve else 'linear_sum_assignment'}"] += 1
    counts["with a limit"] += one.limit is not None
    counts["stacks"] += one.values.ndim == 3
    counts["infeasible"] += None in best
    devices = "auto" if seed % 3 == 0 else "cuda:0"
    try:
        held = placed(one)
    except Exception as error:  # a library that does not have the type everywhere
        counts[f"not made: {one.library} {one.kind} {one.layout}: {str(error)[:60]}"] += 1
        return
    try:
        right = result_right(one, held, best, devices) if one.solve else None
        right = pairs_right(one, held, best) if right is None else right
    except Exception as error:
        right = False
        print(f"{type(error).__name__}: {error}")
    if not right:
        counts["WRONG"] += 1
        print(f"WRONG: seed {seed}: {one.words()}", flush=True)


def main() -> None:
    """Compare as many problems as there is time for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=max(1, (os.cpu_count() or 2) - 3))
    parser.add_argument("--threads", type=int, default=1, help="that ask side by side")
    given = parser.parse_args()
    lock = threading.Lock()
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
    counts: COUNT = collections.Counter()
    said: COUNT = collections.Counter()
    began, slowest = time.perf_counter(), (0.0, "")
    context = multiprocessing.get_context("spawn")
    with (
        concurrent.futures.ProcessPoolExecutor(given.processes, context) as pool,
        warnings.catch_warnings(record=True) as caught,
    ):
        warnings.simplefilter("default")
        waiting = collections.deque(
            (seed, pool.submit(answers, seed))
            for seed in range(given.seed, given.seed + 4 * given.processes)
        )

        def work() -> None:
            nonlocal slowest
            while time.perf_counter() - began < given.seconds:
                with lock:
                    seed, best = waiting.popleft()
                    following = waiting[-1][0] + 1
                    waiting.append((following, pool.submit(answers, following)))
                found = best.result()
                start = time.perf_counter()
                check(seed, found, counts)
                took = time.perf_counter() - start
                with lock:
                    slowest = max(slowest, (took, case(seed).words()))
                    counts["problems"] += 1

        with concurrent.futures.ThreadPoolExecutor(given.threads) as threads:
            for task in [threads.submit(work) for _ in range(given.threads)]:
                task.result()
        pool.shutdown(cancel_futures=True)
        said.update(str(one.message) for one in caught)
    for what, number in sorted(counts.items()):
        print(f"{number:8d} {what}")
    print(f"slowest: {slowest[0]:.2f} s, {slowest[1]}")
    for words, number in said.most_common():
        print(f"{number:8d} x said: {words[:150]}")
    if counts["WRONG"]:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
