"""A search as a pure function of a small description: what a worker anywhere can do, and redo."""

from __future__ import annotations

import multiprocessing
import os
import re
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.device import Device
from prunus.hardware.executor import end_with_parent
from prunus.subsetsum.four_lists.cpu import FourLists
from prunus.subsetsum.pieces.accounting import PieceResult
from prunus.subsetsum.residue_partition import ResiduePartition, partition_items
from prunus.subsetsum.two_lists import cpu as two_list
from prunus.subsetsum.two_lists.cpu import TwoLists
from prunus.subsetsum.two_lists.generation import Apply, one_by_one
from prunus.subsetsum.two_lists.wide_sums import WideLists


@dataclass(frozen=True, slots=True)
class SearchDescription:
    """Everything that defines the pieces of a search and what is sought in them."""

    kind: str
    """``"four-list"``, ``"two-list"``, ``"wide-list"``, or ``"two-list-gpu"``, whose pieces only
    GPUs know."""
    weights: tuple[int, ...]
    target: int
    objective: str
    """As in ``SubsetSum``, after the reductions."""
    fixed: int = 0
    """How many items the two lists leave out."""
    keys: int | None = None
    """In a residue of the four lists, if these are divided for GPUs."""
    gpus: tuple[int, ...] = ()
    """The GPUs that a worker process may use, by their numbers there."""

    @property
    def partition(self) -> ResiduePartition | None:
        """The division of the four lists, if it is one for GPUs."""
        return None if self.keys is None else partition_items(self.weights, self.keys)


class PreparedSearch(Protocol):
    """Lists made, ready to be searched."""

    @property
    def pieces(self) -> int:
        """How many pieces there are."""

    @property
    def piece_s(self) -> float:
        """Seconds that one piece may take; 0 where that is little or nobody has to wait for it."""

    def run(self, first: int, last: int, stop: NDArray[np.int64]) -> PieceResult:
        """Search pieces [first, last), or fewer if ``stop[0]`` becomes nonzero."""


class PreparedCpuSearch(PreparedSearch, Protocol):
    """Lists made for cores."""

    @property
    def rate(self) -> float:
        """Pieces a second that a core is expected to do, roughly; 0 for unknown."""


def prepare_on_cores(
    work: SearchDescription,
    cores: int = 1,
    apply: Apply = one_by_one,
    should_stop: Callable[[], bool] = lambda: False,
) -> PreparedCpuSearch:
    """Make the lists of a search; one that is stopped meanwhile has no pieces."""
    if work.kind == "four-list":
        return FourLists(
            work.weights,
            work.target,
            counting=work.objective == "count",
            partition=work.partition,
            should_stop=should_stop,
        )
    if work.kind == "wide-list":
        return WideLists(work.weights, work.target, fixed=work.fixed, should_stop=should_stop)
    return TwoLists(
        work.weights,
        work.target,
        objective=work.objective,
        fixed=work.fixed,
        cores=cores,
        apply=apply,
        should_stop=should_stop,
    )


def prepare_on_gpu(work: SearchDescription, device: Device) -> PreparedSearch:
    """Make the lists of a search on a GPU."""
    from prunus.subsetsum.gpu.four_list import GpuFourLists
    from prunus.subsetsum.gpu.two_list import SLICES, GpuTwoLists

    if work.kind == "four-list":
        return GpuFourLists(
            work.weights,
            work.target,
            device,
            work.partition,
            counting=work.objective == "count",
        )
    return GpuTwoLists(
        work.weights,
        work.target,
        device,
        closest=work.objective == "closest",
        fixed=work.fixed,
        slices=SLICES,
    )


def count_pieces(work: SearchDescription) -> int | None:
    """Return how many pieces some work has; None if that is known only from its lists."""
    if work.kind == "four-list":
        return None if work.partition is None else work.partition.pieces
    if work.kind == "two-list-gpu":
        from prunus.subsetsum.gpu.two_list import pieces

        return pieces(work.fixed)
    if work.kind == "wide-list":
        return 1 << work.fixed
    return two_list.pieces(len(work.weights), work.fixed)


_KEPT_SEARCHES = 2
"""Searches whose lists a worker process keeps."""
_kept: OrderedDict[SearchDescription, PreparedSearch] = OrderedDict()
_lock = threading.Lock()
_NO_STOP = np.zeros(1, np.int64)


def explore(work: SearchDescription, first: int, last: int) -> tuple[PieceResult, float]:
    """Search some pieces in a worker process and return what was found, and the seconds it took.

    The same arguments give the same answer in any process, at any time, so that whoever has lost
    one may ask again. The lists are kept for the next call; losing them costs time only.
    """
    end_with_parent()
    with _lock:
        made = _kept.pop(work, None)
        if made is None:
            while len(_kept) >= _KEPT_SEARCHES:
                _kept.popitem(last=False)
            made = _prepare_here(work)
        _kept[work] = made
    start = perf_counter()
    finding = made.run(first, last, _NO_STOP)
    return finding, perf_counter() - start


def _prepare_here(work: SearchDescription) -> PreparedSearch:
    """Make the lists in a worker process, on a GPU if it is to use one."""
    if not work.gpus:
        return prepare_on_cores(work)
    from prunus.hardware.cuda import CudaDevice

    return prepare_on_gpu(work, CudaDevice(work.gpus[_number_in_pool() % len(work.gpus)]))


def _number_in_pool() -> int:
    """Return this process's number in its pool, so that the pool shares the GPUs out evenly.

    Of a process that is in none, the system's number.
    """
    last = re.search(r"\d+$", multiprocessing.current_process().name)
    return int(last[0]) if last else os.getpid()
