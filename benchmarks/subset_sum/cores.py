"""Subset sum: the methods side by side, one core and two, small targets, OR-Tools beside them.

    python -m benchmarks.subset_sum.cores --sizes 48,52 --runs 5 --json out.json
    python -m benchmarks.subset_sum.cores --quick

All instances but those of the small targets are unsolvable: even weights of 50 bits (of n + 2 bits
above n = 48) and an odd target near half their sum, with the test of the greatest common divisor
switched off. Runs of the methods alternate. Seconds are of the processor, of all threads together,
because they hold on a busy machine too; elapsed seconds stand beside them. OR-Tools is used if it
is installed, and left out with a sentence if not.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import time
from collections.abc import Sequence

import prunus
from benchmarks.compare.peers import installed
from benchmarks.save import save
from prunus import SubsetSum
from prunus.hardware.devices import available_cores
from prunus.subsetsum.formats.random_instances import odd

METHODS = ("four-list", "two-list", "two-list-unsplit")


def timed(problem: SubsetSum, **options):
    """Solve once; return processor seconds, elapsed seconds, and the result."""
    start, begun = time.perf_counter(), time.process_time()
    result = prunus.solve(problem, divisor_test=False, **options)
    return time.process_time() - begun, time.perf_counter() - start, result


def sizes_table(sizes: list[int], runs: int, cores: list[int]) -> list[dict]:
    """Time every method on every size."""
    rows: dict[tuple, dict] = {}
    for n in sizes:
        instances = [odd(None, n, max(50, n + 2), seed) for seed in range(runs)]
        for problem in [instances[0], *instances]:
            for method in METHODS if n < 56 else METHODS[:1]:
                for count in cores:
                    spent, elapsed, result = timed(
                        problem, method=method, devices=f"cpu:{count}", memory=2**30
                    )
                    assert result.status == "infeasible", result
                    key = n, method, count
                    row = rows.setdefault(key, {"cpu": [], "elapsed": []})
                    row["cpu"].append(spent)
                    row["elapsed"].append(elapsed)
    found = []
    for (n, method, count), row in rows.items():
        # The first run of each may compile, and is not counted.
        spent = statistics.median(row["cpu"][1:])
        elapsed = statistics.median(row["elapsed"][1:])
        one = statistics.median(rows[n, method, cores[0]]["elapsed"][1:])
        found.append(
            {
                "n": n,
                "method": method,
                "cores": count,
                "cpu_seconds": spent,
                "elapsed_seconds": elapsed,
                "runs": len(row["cpu"]) - 1,
                "times_one_core": one / elapsed,
            }
        )
        print(
            f"n={n} {method:17} {count} core(s)  processor {spent * 1e3:9.1f} ms  "
            f"elapsed {elapsed * 1e3:9.1f} ms, {one / elapsed:.2f} times one core",
            flush=True,
        )
    return found


def small_targets() -> list[dict]:
    """Section 5.7 of Wan, Li and Li: targets of 2^(n/2)/64 and 2^(n/2)/8."""
    found = []
    for n, target in ((48, 2**24 // 64), (50, 2**25 // 64), (52, 2**26 // 8), (54, 2**27 // 8)):
        weights = [w * 2 for w in odd(None, n, max(2, (target // 12).bit_length()), n).weights]
        row = {"n": n, "target": target}
        for method in ("bitset", "four-list"):
            problem = SubsetSum(weights, target - 1)
            spent = min(timed(problem, method=method, devices="cpu:1")[0] for _ in range(3))
            row[method] = spent
        found.append(row)
        print(
            f"n={n} target {target}  bitset {row['bitset'] * 1e3:8.2f} ms  "
            f"four-list {row['four-list'] * 1e3:8.2f} ms",
            flush=True,
        )
    return found


def peers(limit: float) -> list[dict]:
    """CP-SAT on planted instances, beside the automatic choice."""
    found = []
    for peer in installed("subset sum"):
        for name in ("24:24:1", "28:40:1", "30:50:1", "48:50:1"):
            problem = prunus.read(f"subsetsum:{name}")
            begun = time.perf_counter()
            chosen, _ = peer.solve(problem, limit)
            seconds = time.perf_counter() - begun
            prunus.solve(problem)
            _, elapsed, result = timed(problem)
            assert problem.evaluate(result.solution) == problem.target
            found.append({"instance": name, "cp_sat": seconds, "prunus": elapsed})
            print(
                f"{name:20} {peer.name} {'nothing' if chosen is None else 'found'} after "
                f"{seconds:7.2f} s   prunus {elapsed:7.3f} s ({result.method})",
                flush=True,
            )
    return found


def main(words: Sequence[str] | None = None) -> None:
    """Run everything and print it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for each peer")
    parser.add_argument("--json")
    parser.add_argument("--quick", action="store_true")
    arguments = parser.parse_args(words)
    report = search_on_cores(arguments)
    report |= {
        "machine": platform.processor() or platform.machine(),
        "cores": available_cores(),
        "prunus": prunus.__version__,
    }
    save(report, arguments.json)


def search_on_cores(arguments: argparse.Namespace) -> dict:
    """Measure the cores, and OR-Tools beside them."""
    wanted = arguments.sizes or "48,52,56,60"
    sizes = [40, 44] if arguments.quick else [int(n) for n in wanted.split(",")]
    runs = 2 if arguments.quick else arguments.runs
    cores = sorted({1, min(2, available_cores())})
    report = {
        "sizes": sizes_table(sizes, runs, cores),
        "small_targets": small_targets(),
        "peers": peers(5.0 if arguments.quick else arguments.limit),
    }
    import resource  # not on Windows, where the tests of this file run too

    report["peak_bytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(f"peak memory {report['peak_bytes'] / 2**20:.0f} MiB")
    return report


if __name__ == "__main__":
    main()
