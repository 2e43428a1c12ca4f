"""Batches of assignment problems on one GPU, beside ``torch-linear-assignment``.

    python -m benchmarks.assignment.batches                    # the whole table
    python -m benchmarks.assignment.batches --rows 20000x32x32,208x300x300 --kinds float32
    python -m benchmarks.assignment.batches --json figures.json

The tensors are PyTorch's, made on the device; times are medians of whole calls, with the wait for
the device at the end, in milliseconds, ours and the peer's by turns. The peer, if it is installed,
rounds integers to float32. Sums of a sample of the matrices are compared with SciPy's; ``wrong``
counts those that are larger, of ours and of the peer.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment as scipy_assignment

import prunus
from benchmarks.save import save

ROWS = (
    "100000x10x10", "20000x32x32", "4096x64x64", "208x300x100", "208x300x300", "208x300x600",
    "64x1000x1000",
)  # fmt: skip
KINDS = ("float32", "int32", "forbidden", "ragged", "wide int32", "int64", "float64", "bfloat16")
"""Uniform floats; integers 0..99; float32 with 20 % of the pairs forbidden; of float32 matrices
between half and all; integers up to 2^30; and other types."""

SAMPLE = 8


def made(kind: str, shape: tuple[int, ...]) -> tuple[Any, Any]:
    """Return costs on the device, and sizes or None."""
    import torch

    place = {"device": "cuda:0"}
    if "int" in kind:
        high = 2**30 if kind == "wide int32" else 2**40 if kind == "int64" else 100
        number = torch.int64 if kind == "int64" else torch.int32
        return torch.randint(0, high, shape, dtype=number, **place), None
    if kind in ("float64", "bfloat16"):
        return torch.rand(shape, dtype=getattr(torch, kind), **place), None
    costs = torch.rand(shape, **place)
    if kind == "forbidden":
        n = min(shape[1:])
        spared = torch.rand(shape, **place) > 0.2
        spared[:, range(n), range(n)] = True
        costs[~spared] = torch.inf
    if kind != "ragged":
        return costs, None
    low, high = (torch.tensor(shape[1:], **place) // part for part in (2, 1))
    share = torch.rand((shape[0], 2), **place)
    return costs, (low + share * (high - low + 1)).to(torch.int64).clamp(max=high)


def timed(calls: dict[str, Callable[[], Any]], repeats: int) -> dict[str, tuple[float, Any]]:
    """Return the median milliseconds of each of some calls, made by turns, and its answer.

    A call is over when the device is.
    """
    import torch

    found = {name: call() for name, call in calls.items()}
    times: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(repeats):
        for name, call in calls.items():
            torch.cuda.synchronize()
            begin = time.perf_counter()
            found[name] = call()
            torch.cuda.synchronize()
            times[name].append(1e3 * (time.perf_counter() - begin))
    return {name: (statistics.median(times[name]), found[name]) for name in calls}


def alone(call: Callable[[], Any], repeats: int) -> float:
    """Return the milliseconds that the device takes for a call, when calls follow each other.

    They are queued while it pauses: else calls that the host makes slowly would be timed.
    """
    import torch

    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    torch.cuda._sleep(400_000 * repeats)
    begin.record()
    for _ in range(repeats):
        call()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / repeats


def excess(costs: Any, sizes: Any, rows: Any, columns: Any) -> int:
    """Return of how many matrices of a sample the sum is larger than SciPy's."""
    import torch

    number = torch.float64 if costs.is_floating_point() else torch.int64
    worse = 0
    for k in np.linspace(0, len(costs) - 1, min(SAMPLE, len(costs))).astype(int):
        matrix = costs[k].to(number).cpu().numpy()
        if sizes is not None:
            n, m = sizes[k].tolist()
            matrix = matrix[:n, :m]
        i, j = rows[k].cpu().numpy(), columns[k].cpu().numpy()
        i, j = i[i >= 0], j[i >= 0]
        assert len(i) == min(matrix.shape), "pairs are missing"
        assert len(set(i)) == len(set(j)) == len(i), "no assignment"
        best = matrix[scipy_assignment(matrix)].sum()
        worse += bool(matrix[i, j].sum() > best + 1e-12 * abs(best))
    return worse


def row(name: str, kind: str, repeats: int, peer: Callable[[Any], Any] | None) -> dict[str, Any]:
    """Measure one kind of batch."""
    import torch

    shape = tuple(map(int, name.split("x")))
    costs, sizes = made(kind, shape)
    solve = prunus.linear_sum_assignment
    begin = time.perf_counter()
    solve(costs, sizes=sizes)
    first = time.perf_counter() - begin
    calls: dict[str, Callable[[], Any]] = {
        "ms": lambda: solve(costs, sizes=sizes),
        "unchecked": lambda: solve(costs, sizes=sizes, check=False),
    }
    if peer is not None and kind != "ragged":
        calls["peer"] = lambda: peer(costs)
    found = timed(calls, repeats)
    result: dict[str, Any] = {"row": name, "kind": kind}
    result |= {call: median for call, (median, _) in found.items()}
    result["device"] = alone(lambda: solve(costs, sizes=sizes, check=False), repeats)
    result |= {"first": first, "wrong": excess(costs, sizes, *found["ms"][1])}
    if "peer" in found:
        jobs = found["peer"][1]
        agents = torch.arange(shape[1], device=jobs.device).expand_as(jobs)
        result["peer wrong"] = excess(costs, None, torch.where(jobs >= 0, agents, -1), jobs)
    return result


def versions() -> dict[str, str]:
    """Return what was measured, and on which card."""
    import torch

    found = {"card": torch.cuda.get_device_name(0), "prunus": prunus.__version__}
    for package in ("torch-linear-assignment", "torch", "triton", "scipy", "numpy"):
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "not installed"
    return found


def table(rows: list[dict[str, Any]]) -> str:
    """Return the figures as a table: the peer's milliseconds / ours, and how many of ours fit."""
    kinds = list(dict.fromkeys(one["kind"] for one in rows))
    cells: dict[str, dict[str, str]] = {}
    for one in rows:
        beside = f" ({one['peer'] / one['ms']:.1f})" if "peer" in one else ""
        theirs = f"{one['peer']:.2f} / " if "peer" in one else ""
        cells.setdefault(one["row"], {})[one["kind"]] = f"{theirs}**{one['ms']:.2f}**{beside}"
    lines = ["| | " + " | ".join(kinds) + " |", "|---" * (len(kinds) + 1) + "|"]
    for name, found in cells.items():
        lines.append(f"| {name} | " + " | ".join(found.get(kind, "") for kind in kinds) + " |")
    return "\n".join(lines)


def main() -> None:
    """Run the benchmark that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", default=",".join(ROWS), help="count x agents x jobs, with commas")
    parser.add_argument("--kinds", default=",".join(KINDS), help=", ".join(KINDS))
    parser.add_argument("--repeats", type=int, default=11)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", help="write the figures to this file")
    given = parser.parse_args()
    import torch

    torch.manual_seed(given.seed)
    peer = None
    if importlib.util.find_spec("torch_linear_assignment") is not None:
        from torch_linear_assignment import batch_linear_assignment as peer
    measured = versions()
    print(", ".join(f"{name} {what}" for name, what in measured.items()))
    print("milliseconds: the call, without check, the device alone; the peer; wrong sums; first s")
    found = []
    for name in given.rows.split(","):
        for kind in given.kinds.split(","):
            one = row(name, kind, given.repeats, peer)
            found.append(one)
            beside = ""
            if "peer" in one:
                times = one["peer"] / one["ms"]
                beside = f"  peer {one['peer']:8.3f} ({times:5.1f} x) wrong {one['peer wrong']}"
            print(
                f"{name:<13} {kind:<10} {one['ms']:8.3f} {one['unchecked']:8.3f}"
                f" {one['device']:8.3f}{beside}  wrong {one['wrong']}  first {one['first']:.2f}",
                flush=True,
            )
    print(table(found))
    save({"versions": measured, "arguments": vars(given), "rows": found}, given.json)


if __name__ == "__main__":
    main()
