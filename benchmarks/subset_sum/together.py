"""Subset sum on a GPU and cores together: how good their shares are.

The cores' share of the pieces is the R of Wan, Li and Li. The engine finds it while it searches;
beside it are searches with a share that is set before, as in the paper, from none to several times
what the speeds of both alone would give.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

import prunus
from prunus import SubsetSum
from prunus.hardware.devices import available_cores, open_gpu
from prunus.subsetsum.formats.random_instances import odd
from prunus.subsetsum.pieces.accounting import PieceAccounting, PieceResult
from prunus.subsetsum.pieces.description import SearchDescription
from prunus.subsetsum.pieces.machine import MachineSearch, Worker, core_workers
from prunus.subsetsum.pieces.preparation import PreparedSearch, prepare_on_cores, prepare_on_gpu
from prunus.subsetsum.residue_partition import KEYS_PER_CLASS

NEVER = np.zeros(1, np.int64)
TIMES = (0.0, 0.5, 1.0, 2.0)
"""Shares to be set, in the share that the speeds give."""


def together_table(n: int, repeats: int = 2) -> list[dict]:
    """Time a GPU alone, with all cores beside it, and with shares that are set."""
    rows = []
    problem = odd(None, n, n, 2)
    # Compiled before anything is timed.
    small = odd(None, min(n, 48), 56, 2)
    prunus.solve(small, method="four-list", devices="cuda:0", divisor_test=False)
    prepare_on_cores(described(small)).run(0, 1, NEVER)
    alone = cores_alone(problem)
    for devices in ("cuda:0", "cpu,cuda:0") * repeats:
        result = prunus.solve(problem, method="four-list", devices=devices, divisor_test=False)
        shares, pieces = result.statistics["pieces_by_device"], result.statistics["pieces"]
        cores = sum(count for name, count in shares.items() if name.startswith("cpu")) / pieces
        rows.append({"n": n, "devices": devices, "seconds": result.runtime, "share": cores})
        # Each at its own speed, both ending together.
        rows[-1]["best_share"] = alone / (alone + pieces / rows[0]["seconds"])
        print(
            f"n={n} {devices:12} {result.runtime:.4f} s, on cores {100 * cores:.4f} % "
            f"(at their speeds {100 * rows[-1]['best_share']:.4f} %)",
            flush=True,
        )
    found = min(row["seconds"] for row in rows if row["devices"] != "cuda:0")
    usual = rows[0]["best_share"]
    swept = []
    for factor in TIMES:
        taken = set_share(problem, factor * usual)
        swept.append({"n": n, "set_share": factor * usual, "seconds": taken})
        print(
            f"n={n} share set to {factor:4.2f} times that, {100 * factor * usual:.4f} %: "
            f"{taken:.4f} s",
            flush=True,
        )
    best = min(swept, key=lambda row: row["seconds"])
    print(
        f"n={n} share found: {found / best['seconds']:.4f} times the best of those set, "
        f"{best['seconds']:.4f} s at {100 * best['set_share']:.4f} %",
        flush=True,
    )
    return rows + swept


def described(problem: SubsetSum) -> SearchDescription:
    """Return the search in the division that is made for GPUs."""
    return SearchDescription(
        "four-list", problem.weights, problem.target, "sum", keys=KEYS_PER_CLASS
    )


def cores_alone(problem: SubsetSum, limit: float = 3.0) -> float:
    """Return the pieces a second of all cores."""
    lists = prepare_on_cores(described(problem))
    ledger = PieceAccounting(lists.pieces, sum, problem.target)
    begin = time.perf_counter()
    search = MachineSearch(core_workers(lists, available_cores()), ledger)
    search.search(lambda: time.perf_counter() - begin > limit)
    return ledger.done / (time.perf_counter() - begin)


@dataclass(frozen=True)
class From:
    """The pieces of some lists from one on."""

    lists: PreparedSearch
    first: int

    @property
    def piece_s(self) -> float:
        """Seconds that one may take."""
        return self.lists.piece_s

    @property
    def pieces(self) -> int:
        """How many there are."""
        return self.lists.pieces - self.first

    def run(self, first: int, last: int, stop) -> PieceResult:
        """Search some of them."""
        found = self.lists.run(self.first + first, self.first + last, stop)
        return replace(found, first=found.first - self.first, last=found.last - self.first)


def set_share(problem: SubsetSum, share: float) -> float:
    """Return the seconds of a search in which the cores do the first pieces, a given share."""
    work = described(problem)
    pieces = work.partition.pieces if work.partition else 0
    cut = min(pieces - 1, round(share * pieces))
    ledgers = (
        PieceAccounting(cut, sum, problem.target),
        PieceAccounting(pieces - cut, sum, problem.target),
    )
    device = open_gpu(0)
    rate = pieces / 2.0
    card = Worker("cuda:0", lambda: From(prepare_on_gpu(work, device), cut), rate=rate, least=512)

    def on_card() -> None:
        MachineSearch([card], ledgers[1]).search(lambda: False)

    def on_all_cores() -> None:
        if cut:
            workers = core_workers(prepare_on_cores(work), available_cores())
            MachineSearch(workers, ledgers[0]).search(lambda: False)

    begin = time.perf_counter()
    at_once(on_card, on_all_cores)
    taken = time.perf_counter() - begin
    assert all(ledger.finished for ledger in ledgers), "a search did not end"
    return taken


def at_once(*functions: Callable[[], None]) -> None:
    """Call functions in threads and wait for all."""
    threads = [threading.Thread(target=function) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
