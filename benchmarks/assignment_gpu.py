"""Linear assignment on one GPU: switching with its gap, exact solves, the gap over time.

    python benchmarks/assignment_gpu.py                          # n = 5000, 20000
    python benchmarks/assignment_gpu.py --n 20000,40000 --classes geom --json out.json
    python benchmarks/assignment_gpu.py --floor ./gpu_lsap       # a prototype's binary, same run
    python benchmarks/assignment_gpu.py --all --floor ./gpu_lsap # everything on one GPU
    python benchmarks/assignment_gpu.py --more --classes= --curve 0   # variants, arrays, points
    python benchmarks/assignment_gpu.py --cards 1,2,4            # the rows on several GPUs
    python benchmarks/assignment_gpu.py --cards 2,4 --n 200000 --classes unif --no-exact  # 149 GiB

The matrices, float32 and to be maximised, are made on the device and stay there. Times are of the
whole call of `prunus.solve`, from a problem to a result that was evaluated on the host; beside them
stands what the kernels took of it. The first call of each kind, which compiles, is not counted.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import time
from typing import Any

import numpy as np

import prunus

FILL = r"""
typedef unsigned long long u64;
__device__ u64 mix(u64 x)
{
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
}
__device__ double uniform(u64 seed, u64 k)
{
    return (double)(mix(seed * 0x100000001B3ull + k) >> 11) * (1.0 / 9007199254740992.0);
}
extern "C" __global__ void fill(float* a, int n, int kind, u64 seed, u64 first, u64 size)
{
    for (size_t e = blockIdx.x * (size_t)blockDim.x + threadIdx.x; e < size;
         e += (size_t)gridDim.x * blockDim.x) {
        const size_t all = e + first * n;
        const int i = all / n, j = all % n;
        double v;
        if (kind <= 1) {
            const double px = 1000 * uniform(seed, 4ull * i);
            const double py = 1000 * uniform(seed, 4ull * i + 1);
            const double qx = 1000 * uniform(seed, 4ull * j + 2 * kind);
            const double qy = 1000 * uniform(seed, 4ull * j + 1 + 2 * kind);
            const double dx = px - qx, dy = py - qy;
            v = rint(1000 * sqrt(__dadd_rn(__dmul_rn(dx, dx), __dmul_rn(dy, dy))));
            if (kind == 1) v = 1414214 - v;
        } else {
            const u64 h = mix(seed * 1000003ull + (u64)all);
            v = kind == 2 ? 1e6 - (double)(h % 1000000ull) : (double)n - (double)(h % (u64)n);
        }
        a[e] = (float)v;
    }
}
"""

KINDS = {"geom": 0, "twosets": 1, "unif": 2, "unifn": 3}
LABELS = {
    "geom": "GEOM, maximise",
    "twosets": "two point sets, minimise",
    "unif": "uniform, R = 10^6",
    "unifn": "U{0..n-1}",
}
LIMITS = (5, 10, 20, 50, 100, 200, 500)
MORE = 20_000
"""The largest size of what ``--more`` runs."""


def instance(kind: str, n: int, seed: int, first: int = 0, end: int | None = None) -> Any:
    """Make a matrix, or some of its rows, on the device."""
    import cupy

    matrix = cupy.empty(((n if end is None else end) - first, n), cupy.float32)
    fill = cupy.RawKernel(FILL, "fill")
    words = map(np.uint64, (seed, first, matrix.size))
    fill((2048,), (256,), (matrix, np.int32(n), np.int32(KINDS[kind]), *words))
    cupy.cuda.runtime.deviceSynchronize()
    return matrix


class Kernels:
    """Adds up what the kernels of a solve take."""

    def __init__(self) -> None:
        from prunus.assignment.gpu import market

        self._market = market.Market
        self._run = market.Market.run
        self.marks: list[tuple[Any, Any]] = []

    def __enter__(self) -> Kernels:
        """Note all launches."""
        import cupy

        def run(market: Any, name: str, blocks: int | None = None) -> None:
            stream = market.device._stream
            begin, end = cupy.cuda.Event(), cupy.cuda.Event()
            begin.record(stream)
            self._run(market, name, blocks)
            end.record(stream)
            self.marks.append((begin, end))

        self._market.run = run
        return self

    def __exit__(self, *_: object) -> None:
        """Stop noting."""
        self._market.run = self._run

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


def floor_of(binary: str, kind: str, n: int, seed: int) -> list[str]:
    """Run the prototype; return its lines."""
    lines = []
    kind = {"twosets": "geommin"}.get(kind, kind)
    for what in (["dgsg"], ["auc0", "5", "8"]):
        try:
            done = subprocess.run(
                [binary, kind, str(n), str(seed), *what],
                capture_output=True,
                text=True,
                timeout=60,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            lines.append(f"{what[0]}: {error}")
            continue
        lines += [line for line in done.stdout.splitlines() if line.startswith(("DGS", "AUC"))][-1:]
    return lines


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


def write(path: str | None, found: dict[str, Any]) -> None:
    """Write figures to a file, if one is given."""
    if path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(found, file, indent=2)


def main() -> None:
    """Run the benchmark that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", help="sizes, with commas; 5000,20000 and with --all 40000")
    parser.add_argument("--classes", default=",".join(KINDS), help=", ".join(KINDS))
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--curve", type=int, default=20_000, help="n of GEOM; 0 for none")
    parser.add_argument("--floor", help="the binary of a prototype to run beside")
    parser.add_argument("--json", help="write the figures to this file")
    parser.add_argument("--plot", help="write a picture of the curve to this file")
    parser.add_argument("--cards", help="numbers of GPUs, with commas: rows on several, instead")
    parser.add_argument("--no-exact", action="store_true", help="with --cards: switching only")
    parser.add_argument("--more", action="store_true", help="variants, arrays, points, deadlines")
    parser.add_argument("--points", type=int, default=100_000, help="of them, with --more")
    parser.add_argument(
        "--all", action="store_true", help="n = 40,000 and --more and --plot as well"
    )
    given = parser.parse_args()
    given.n = given.n or ("5000,20000,40000" if given.all else "5000,20000")
    if given.all:
        given.more, given.plot = True, given.plot or "assignment_gpu_curve.png"
    if given.cards:
        from assignment_cards import table

        cards, sizes = (list(map(int, words.split(","))) for words in (given.cards, given.n))
        rows = table(
            instance, LABELS, cards, sizes, given.classes.split(","),
            repeats=given.repeats, seed=given.seed, exact=not given.no_exact,
        )  # fmt: skip
        write(given.json, {"arguments": vars(given), "rows": rows})
        return
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
            row = {"class": kind, "n": n, "switching": fast, "exact": exact}
            if given.floor:
                row["floor"] = floor_of(given.floor, kind, n, given.seed)
                print("\n".join(f"    floor: {line}" for line in row["floor"]), flush=True)
            found["rows"].append(row)
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
    if given.more:
        from assignment_more import more

        sizes = [min(n, MORE) for n in map(int, given.n.split(","))]
        found["more"] = more(
            instance, sizes, many=given.points, repeats=given.repeats, seed=given.seed
        )
    write(given.json, found)


if __name__ == "__main__":
    main()
