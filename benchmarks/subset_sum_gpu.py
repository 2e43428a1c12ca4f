"""Subset sum on GPUs, for ``subset_sum.py --gpu``: both methods beside a floor, several cards.

Every size has random instances with weights of at least 2^n: unsolvable ones (even weights, an odd
target, the divisor test off) and ones with a planted subset. Seconds are elapsed ones of the whole
``solve``, from the weights to the checked answer, with kernels compiled before. A floor is a
program that prints lines like ``ssp n=48 … total 1.4 ms``; it runs first, on the same card.
"""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import time

import prunus
from prunus import SubsetSum
from prunus.devices import available_cores
from prunus.formats.random_subsetsum import odd, planted
from prunus.subsetsum.halves import KEYS
from prunus.subsetsum.ledger import Ledger
from prunus.subsetsum.on_machine import on_cores
from prunus.subsetsum.work import Description, plan

TWO_LIST_BITS = 56
"""Sums of the two lists must stay below 2^63, so their weights are those of the floor."""


def run_floor(path: str) -> dict[int, float]:
    """Run a floor; return its milliseconds by size."""
    run = subprocess.run([sys.executable, path], capture_output=True, text=True, check=False)
    print(run.stdout, run.stderr[-2000:], sep="", flush=True)
    found = re.findall(r"n=(\d+).*total ([\d.]+) ms", run.stdout)
    return {int(n): float(total) for n, total in found}


def seconds(problem: SubsetSum, *, solvable: bool, **options) -> float:
    """Solve once, check the answer, return the elapsed seconds."""
    result = prunus.solve(problem, divisor_test=False, **options)
    assert (result.solution is not None) == solvable, result
    assert result.explored == 1.0, result
    return result.runtime


def gpu_table(sizes: list[int], runs: int, floor: dict[int, float], devices: str) -> list[dict]:
    """Time both methods; the two lists as far as their sums fit and they are of interest."""
    rows = []
    for n in sizes:
        # Beyond 70 items an instance takes seconds, and one is like another.
        many = runs if n <= 64 else min(runs, 5) if n <= 72 else 1
        for method in ("four-list", "two-list") if n <= 64 else ("four-list",):
            bits = TWO_LIST_BITS if method == "two-list" else max(TWO_LIST_BITS, n)
            row: dict = {"n": n, "method": method, "runs": many, "devices": devices}
            for solvable in (False, True):
                make = planted if solvable else odd
                options = {"method": method, "devices": devices, "solvable": solvable}
                seconds(make(None, n, bits, 1000), **options) if n <= 72 else None
                times = [seconds(make(None, n, bits, seed), **options) for seed in range(many)]
                kind = "solvable" if solvable else "unsolvable"
                row[f"{kind}_seconds"] = statistics.median(times)
                row[f"{kind}_worst_seconds"] = max(times)
            beside = floor.get(n)
            row["floor_seconds"] = beside / 1e3 if beside else None
            row["ratio_to_floor"] = row["unsolvable_seconds"] * 1e3 / beside if beside else None
            rows.append(row)
            print(
                f"n={n} {method:9} median of {many}: "
                f"unsolvable {row['unsolvable_seconds'] * 1e3:9.2f} ms  "
                f"solvable {row['solvable_seconds'] * 1e3:9.2f} ms"
                + (f"  {row['ratio_to_floor']:.2f} of the floor's {beside} ms" if beside else ""),
                flush=True,
            )
    return rows


def cards_table(n: int, cards: int) -> list[dict]:
    """Time one unsolvable instance on 1, 2, 4, … cards."""
    rows: list[dict] = []
    count = 1
    problem = odd(None, n, n, 1)
    while count <= cards:
        devices = ",".join(f"cuda:{k}" for k in range(count))
        seconds(odd(None, 60, 60, 1), solvable=False, method="four-list", devices=devices)
        taken = min(
            seconds(problem, solvable=False, method="four-list", devices=devices) for _ in range(2)
        )
        rows.append({"n": n, "cards": count, "seconds": taken})
        print(f"n={n} on {count} card(s) {taken:.3f} s, {rows[0]['seconds'] / taken:.2f} times one")
        count *= 2
    return rows


def together_table(n: int) -> list[dict]:
    """Time a GPU alone and with all cores beside it; compare the cores' share with the best."""
    rows = []
    problem = odd(None, n, n, 2)
    alone = cores_alone(problem)
    for devices in ("cuda:0", "cpu,cuda:0") * 2:
        result = prunus.solve(problem, method="four-list", devices=devices, divisor_test=False)
        shares, pieces = result.statistics["pieces_by_device"], result.statistics["pieces"]
        cores = sum(count for name, count in shares.items() if name.startswith("cpu")) / pieces
        rows.append({"n": n, "devices": devices, "seconds": result.runtime, "share": cores})
        # Each at its own speed, both ending together: the R of Wan, Li and Li.
        rows[-1]["best_share"] = alone / (alone + pieces / rows[0]["seconds"])
        print(
            f"n={n} {devices:12} {result.runtime:.3f} s, on cores {100 * cores:.3f} % "
            f"(at their speeds {100 * rows[-1]['best_share']:.3f} %)",
            flush=True,
        )
    return rows


def cores_alone(problem: SubsetSum, limit: float = 3.0) -> float:
    """Return the pieces a second of all cores, of the division that is made for GPUs."""
    work = Description("four-list", problem.weights, problem.target, "sum", keys=KEYS)
    lists = plan(work)
    ledger = Ledger(lists.pieces, sum, problem.target)
    begin = time.perf_counter()
    on_cores(lists, ledger, available_cores(), lambda: time.perf_counter() - begin > limit)
    return ledger.done / (time.perf_counter() - begin)
