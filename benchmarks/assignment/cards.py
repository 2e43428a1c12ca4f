"""Linear assignment with its rows on one, two or four GPUs.

    python -m benchmarks.assignment.cards --cards 1,2,4 --n 20000,60000
    python -m benchmarks.assignment.cards --cards 2,4 --n 200000 --classes unif --no-exact

The matrices lie in the host's memory, float32, to be maximised. Whole calls are mostly the copy to
the cards; beside them stand the milliseconds of what all cards share: candidate lists of all rows,
the bound, and a sweep of prices. Parallel switching from a random start must end in the same
assignment on any number of cards, and all optima must agree. 200,000 rows are 149 GiB.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

import prunus
from benchmarks.assignment.matrices import KINDS, LABELS, instance
from benchmarks.save import save

SHARED = ("fill_lists", "find_best_net_values", "lower_prices")


def on_host(kind: str, n: int, seed: int) -> Any:
    """Make a matrix in the host's memory, by pieces on the first card; nothing may change it."""
    import cupy

    matrix = np.empty((n, n), np.float32)
    step = max(1, 2**30 // n)
    for first in range(0, n, step):
        part = instance(kind, n, seed, first, min(first + step, n))
        part.get(out=matrix[first : first + step])
    cupy.get_default_memory_pool().free_all_blocks()
    matrix.setflags(write=False)
    return matrix


def passes(problem: Any, count: int, repeats: int) -> dict[str, float]:
    """Return the seconds of the copy, and the milliseconds of the passes over all rows."""
    from prunus.assignment.gpu.instance import DeviceInstance
    from prunus.assignment.gpu.multi_gpu import MultiDeviceInstance
    from prunus.assignment.gpu.placement import place
    from prunus.hardware.cuda import CudaDevice
    from prunus.hardware.devices import available_cores
    from prunus.hardware.threads import Threads

    devices = [CudaDevice(index) for index in range(count)]
    threads = Threads(available_cores())
    begin = time.perf_counter()
    sources, firsts, _ = place(problem, devices, threads)
    found = {"placing_s": time.perf_counter() - begin}
    instance = (
        DeviceInstance(devices[0], sources[0])
        if count == 1
        else MultiDeviceInstance(devices, sources, firsts)
    )
    instance.write("column", np.arange(problem.agents, dtype=np.int32))
    instance.run("start_deadline")
    instance.run("adopt_columns")
    for name in SHARED:
        times = []
        for _ in range(repeats + 1):
            instance.device.finish()
            begin = time.perf_counter()
            instance.run(name)
            instance.device.finish()
            times.append(1e3 * (time.perf_counter() - begin))
        found[name] = statistics.median(times[1:])
    return found


def solve(problem: Any, count: int, **options: Any) -> tuple[Any, float]:
    """Solve on so many cards; return the result and the milliseconds of the whole call."""
    names = ",".join(f"cuda:{index}" for index in range(count))
    begin = time.perf_counter()
    result = prunus.solve(problem, devices=names, **options)
    return result, 1e3 * (time.perf_counter() - begin)


def row_of(problem: Any, count: int, repeats: int, *, exact: bool) -> dict[str, Any]:
    """Measure one problem on so many cards."""
    row: dict[str, Any] = {"cards": count, **passes(problem, count, repeats)}
    ways = {"switching": {"method": "switching"}}
    ways["parallel"] = {"method": "switching", "order": "parallel"}
    ways["random"] = {"method": "switching", "start": "random", "order": "parallel"}
    if exact:
        ways["exact"] = {"method": "exact"}
    for name, options in ways.items():
        solve(problem, count, **options)
        runs = [solve(problem, count, **options) for _ in range(1 if name == "random" else repeats)]
        inside = "exact_time" if name == "exact" else "switching_time"
        row[name] = {
            "call": statistics.median(wall for _, wall in runs),
            "inside": 1e3 * statistics.median(result.statistics[inside] for result, _ in runs),
            "gap": statistics.median(result.gap for result, _ in runs),
            "objective": runs[-1][0].objective,
            "solution": hash(runs[-1][0].host_solution.tobytes()),
        }
    return row


def table(
    cards: Sequence[int],
    sizes: Sequence[int],
    classes: Sequence[str],
    *,
    repeats: int,
    seed: int,
    exact: bool,
) -> list[dict[str, Any]]:
    """Measure all, print a line each, and check that numbers of cards agree."""
    rows = []
    print("milliseconds; switching, parallel switching and exact: what they took after the copy")
    for kind in classes:
        for n in sizes:
            problem = prunus.Assignment(on_host(kind, n, seed), maximize=True)
            found = []
            for count in cards:
                row = row_of(problem, count, repeats, exact=exact)
                found.append({"class": kind, "n": n, **row})
                shared = " ".join(f"{name} {row[name]:.3f}" for name in SHARED)
                ways = " ".join(
                    f"{name} {row[name]['inside']:.1f} (gap {100 * row[name]['gap']:.4f} %)"
                    for name in ("switching", "parallel", "exact")
                    if name in row
                )
                print(
                    f"{LABELS[kind]:<26} {n:>6} on {count}: placing {row['placing_s']:.2f} s "
                    f"{shared} {ways}",
                    flush=True,
                )
            assert len({row["random"]["solution"] for row in found}) == 1, "cards disagree"
            if exact:
                assert len({row["exact"]["objective"] for row in found}) == 1, "the optima disagree"
            rows += found
            del problem
    return rows


def main() -> None:
    """Run the benchmark that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cards", default="1,2", help="numbers of GPUs, with commas")
    parser.add_argument("--n", default="20000", help="sizes, with commas")
    parser.add_argument("--classes", default=",".join(KINDS), help=", ".join(KINDS))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-exact", action="store_true", help="switching only")
    parser.add_argument("--json", help="write the figures to this file")
    given = parser.parse_args()
    cards, sizes = (list(map(int, words.split(","))) for words in (given.cards, given.n))
    rows = table(
        cards, sizes, given.classes.split(","),
        repeats=given.repeats, seed=given.seed, exact=not given.no_exact,
    )  # fmt: skip
    save({"arguments": vars(given), "rows": rows}, given.json)


if __name__ == "__main__":
    main()
