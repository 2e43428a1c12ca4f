"""Tables of subset sum on GPUs: both methods, lists, bits, cards.

Every size has random instances with weights of at least 2^n: unsolvable ones (even weights, an odd
target, the divisor test off) and ones with a planted subset. Seconds are elapsed ones of the whole
``solve``, from the weights to the checked answer, with kernels compiled before; of the two lists
also without the ``solve`` around them.
"""

from __future__ import annotations

import statistics
import time

import numpy as np

import prunus
from prunus import SubsetSum
from prunus.hardware.devices import open_gpu
from prunus.subsetsum.formats.random_instances import odd, planted
from prunus.subsetsum.gpu.four_list import GpuFourLists
from prunus.subsetsum.gpu.list_sizes import fixed_items
from prunus.subsetsum.gpu.two_list import GpuTwoLists

TWO_LIST_BITS = 56
"""Sums of the two lists must stay below 2^63."""
NEVER = np.zeros(1, np.int64)


def seconds(problem: SubsetSum, *, solvable: bool, **options) -> float:
    """Solve once, check the answer, return the elapsed seconds."""
    result = prunus.solve(problem, divisor_test=False, **options)
    assert (result.solution is not None) == solvable, result
    assert result.explored == 1.0, result
    return result.runtime


def gpu_row(n: int, method: str, runs: int) -> dict:
    """Time a method on instances of one size."""
    bits = TWO_LIST_BITS if method == "two-list" else max(TWO_LIST_BITS, n)
    # Beyond 70 items an instance takes seconds, and one is like another.
    many = runs if n <= 68 else min(runs, 5) if n <= 72 else 1
    row: dict = {"n": n, "method": method, "runs": many}
    for solvable in (False, True):
        make = planted if solvable else odd
        options = {"method": method, "devices": "cuda:0", "solvable": solvable}
        if n <= 72:
            seconds(make(None, n, bits, 1000), **options)
        times = [seconds(make(None, n, bits, seed), **options) for seed in range(many)]
        kind = "solvable" if solvable else "unsolvable"
        row[f"{kind}_seconds"] = statistics.median(times)
        row[f"{kind}_worst_seconds"] = max(times)
    print(
        f"n={n} {method:9} median of {many}: "
        f"unsolvable {row['unsolvable_seconds'] * 1e3:9.2f} ms  "
        f"solvable {row['solvable_seconds'] * 1e3:9.2f} ms",
        flush=True,
    )
    return row


def bare_row(n: int, runs: int) -> dict:
    """Time the two lists and their search alone."""
    device = open_gpu(0)
    times: dict[str, list[float]] = {"lists": [], "search": [], "both": []}
    for seed in range(-1, runs):
        problem = odd(None, n, TWO_LIST_BITS, seed % 1000)
        weights, target = problem.weights, problem.target
        device.finish()
        begin = time.perf_counter()
        made = GpuTwoLists(weights, target, device, fixed=fixed_items(n, device.fits))
        assert made.run(0, made.pieces, NEVER).subset is None
        ended = time.perf_counter()
        made.run(0, made.pieces, NEVER)
        searched = time.perf_counter() - ended
        if seed >= 0:
            times["both"].append(ended - begin)
            times["search"].append(searched)
            times["lists"].append(ended - begin - searched)
        del made
    row: dict = {"n": n} | {name: statistics.median(given) for name, given in times.items()}
    print(
        f"n={n} two-list  without solve, median of {runs}: {row['both'] * 1e3:9.2f} ms, "
        f"lists {row['lists'] * 1e3:.2f}, search {row['search'] * 1e3:.2f}",
        flush=True,
    )
    return row


def lists_row(n: int) -> dict:
    """Time the lists of the four-list method."""
    device = open_gpu(0)
    problem = odd(None, n, n + 2, 1)
    times = []
    for _ in range(4):
        device.finish()
        begin = time.perf_counter()
        made = GpuFourLists(problem.weights, problem.target, device)
        device.finish()
        times.append(time.perf_counter() - begin)
        del made
    row = {"n": n, "seconds": min(times[1:])}
    print(f"n={n} lists of the four-list method: {row['seconds'] * 1e3:.2f} ms", flush=True)
    return row


def cards_table(n: int, cards: int, most: int = 60) -> list[dict]:
    """Time one unsolvable instance on 1, 2, 4, … cards.

    Parameters
    ----------
    most
        Items of the instance that warms the cards up.
    """
    rows: list[dict] = []
    count = 1
    problem = odd(None, n, n, 1)
    while count <= cards:
        devices = ",".join(f"cuda:{k}" for k in range(count))
        options = {"solvable": False, "method": "four-list", "devices": devices}
        seconds(odd(None, min(n, most), n, 1), **options)
        taken = min(seconds(problem, **options) for _ in range(3))
        rows.append({"n": n, "cards": count, "seconds": taken})
        print(
            f"n={n} on {count} card(s) {taken:.4f} s, {rows[0]['seconds'] / taken:.2f} times one",
            flush=True,
        )
        count *= 2
    return rows


def bits_row(n: int, target: int) -> dict:
    """Time the bit set on a card and on a core."""
    weights = [2 * w for w in odd(None, n, max(2, (target // 12).bit_length()), n).weights]
    problem = SubsetSum(weights, target - 1 | 1)
    row: dict = {"n": n, "target": target}
    for devices in ("cuda:0", "cpu:1"):
        options = {"method": "bitset", "devices": devices, "solvable": False, "memory": 2**36}
        row[devices] = min(seconds(problem, **options) for _ in range(2))
    print(
        f"n={n} bit set, target {target}: card {row['cuda:0'] * 1e3:.2f} ms, "
        f"core {row['cpu:1'] * 1e3:.2f} ms",
        flush=True,
    )
    return row
