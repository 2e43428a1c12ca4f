"""Linear assignment on one GPU: switching with its gap, exact solves, the gap over time.

    python -m benchmarks.assignment.gpu                          # n = 5000, 20000
    python -m benchmarks.assignment.gpu --n 20000,40000 --classes geom --json out.json

The matrices, float32 and to be maximised, are made on the device and stay there. Times are of the
whole call of `prunus.solve`, from a problem to a result that was evaluated on the host; beside them
stands what the kernels took of it. The first call of each kind, which compiles, is not counted.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import Any

import prunus
from benchmarks.assignment.matrices import KINDS, LABELS, instance
from benchmarks.save import save

LIMITS = (5, 10, 20, 50, 100, 200, 500)


class Kernels:
    """Adds up what the kernels of a solve take."""

    def __init__(self) -> None:
        from prunus.assignment.gpu import instance

        self._instance = instance.DeviceInstance
        self._run = instance.DeviceInstance.run
        self.marks: list[tuple[Any, Any]] = []

    def __enter__(self) -> Kernels:
        """Note all launches."""
        import cupy

        def run(instance: Any, name: str, blocks: int | None = None) -> None:
            stream = instance.device._stream
            begin, end = cupy.cuda.Event(), cupy.cuda.Event()
            begin.record(stream)
            self._run(instance, name, blocks)
            end.record(stream)
            self.marks.append((begin, end))

        self._instance.run = run
        return self

    def __exit__(self, *_: object) -> None:
        """Stop noting."""
        self._instance.run = self._run

    def milliseconds(self) -> float:
        """Return the sum."""
        import cupy

        self.marks[-1][1].synchronize()
        return sum(cupy.cuda.get_elapsed_time(*marks) for marks in self.marks)


def solve(problem: Any, **options: Any) -> tuple[Any, float]:
    """Solve, and return the result and the milliseconds that it took."""
    begin = time.perf_counter()
    result = prunus.solve(problem, devices="cuda:0", **options)
    return result, 1e3 * (time.perf_counter() - begin)


def measure(problem: Any, repeats: int, **options: Any) -> dict[str, Any]:
    """Return medians of a kind of solve."""
    solve(problem, **options)
    runs = [solve(problem, **options) for _ in range(repeats)]
    with Kernels() as kernels:
        solve(problem, **options)
    times = [wall for _, wall in runs]
    return {
        "wall": statistics.median(times),
        "worst": max(times),
        "kernels": kernels.milliseconds(),
        "objective": [result.objective for result, _ in runs],
        "gap": statistics.median(result.gap for result, _ in runs),
        "optimal": all(result.status.name == "OPTIMAL" for result, _ in runs),
    }


def curve(problem: Any, optimum: Any, repeats: int) -> list[dict[str, Any]]:
    """Return the gap that is proven within each of some time limits."""
    rows = []
    solve(problem, time_limit=0.5)
    for limit in LIMITS:
        runs = [solve(problem, time_limit=limit / 1e3) for _ in range(repeats)]
        rows.append(
            {
                "limit": limit,
                "wall": [wall for _, wall in runs],
                "gap": statistics.median(result.gap for result, _ in runs),
                "deviation": statistics.median(
                    abs(result.objective - optimum) / abs(optimum) for result, _ in runs
                ),
            }
        )
    return rows


def draw(rows: list[dict[str, Any]], path: str, title: str) -> None:
    """Draw the gap over time."""
    from prunus.plot import gaps

    ax = gaps({title: [(row["limit"] / 1e3, row["gap"]) for row in rows]})
    ax.figure.savefig(path, dpi=120)


def main() -> None:
    """Run the benchmark that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", default="5000,20000", help="sizes, with commas")
    parser.add_argument("--classes", default=",".join(KINDS), help=", ".join(KINDS))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--curve", type=int, default=20_000, help="n of GEOM; 0 for none")
    parser.add_argument("--json", help="write the figures to this file")
    parser.add_argument("--plot", help="write a picture of the curve to this file")
    given = parser.parse_args()
    found: dict[str, Any] = {"arguments": vars(given), "rows": []}
    print("milliseconds: whole call (kernels alone)")
    for kind in filter(None, given.classes.split(",")):
        for n in map(int, given.n.split(",")):
            problem = prunus.Assignment(instance(kind, n, given.seed), maximize=True)
            exact = measure(problem, given.repeats, method="exact")
            fast = measure(problem, given.repeats, method="switching")
            optimum = exact["objective"][0]
            assert exact["optimal"], "not proven"
            assert len(set(exact["objective"])) == 1, "the optima disagree"
            apart = max(abs(value - optimum) / abs(optimum) for value in fast["objective"])
            print(
                f"{LABELS[kind]:<26} {n:>6}  switching {fast['wall']:7.2f} ({fast['kernels']:6.2f})"
                f" gap {100 * fast['gap']:.5f} % deviation {100 * apart:.5f} %"
                f"   exact {exact['wall']:8.1f} ({exact['kernels']:.1f})"
                f" worst {exact['worst']:.1f}",
                flush=True,
            )
            found["rows"].append({"class": kind, "n": n, "switching": fast, "exact": exact})
            del problem
    if given.curve:
        problem = prunus.Assignment(instance("geom", given.curve, given.seed), maximize=True)
        optimum = solve(problem, method="exact")[0].objective
        found["curve"] = curve(problem, optimum, given.repeats)
        print(f"GEOM n = {given.curve}: limit ms, proven gap %, deviation %, longest call ms")
        for row in found["curve"]:
            print(
                f"{row['limit']:>6}  {100 * row['gap']:.5f}  {100 * row['deviation']:.6f}  "
                f"{max(row['wall']):.2f}",
                flush=True,
            )
        if given.plot:
            draw(found["curve"], given.plot, f"GEOM, n = {given.curve}, one GPU")
    save(found, given.json)


if __name__ == "__main__":
    main()
