"""The lists of a search, made on cores or on a GPU, ready for its pieces to be searched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.device import Device
from prunus.subsetsum.four_lists.cpu import FourLists
from prunus.subsetsum.pieces.accounting import PieceResult
from prunus.subsetsum.pieces.description import SearchDescription
from prunus.subsetsum.two_lists.cpu import TwoLists
from prunus.subsetsum.two_lists.generation import Apply, one_by_one


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
    return TwoLists(
        work.weights,
        work.target,
        objective=work.objective,
        fixed=work.fixed,
        wide=work.kind == "wide-list",
        cores=cores,
        apply=apply,
        should_stop=should_stop,
    )


def prepare_on_gpu(work: SearchDescription, device: Device) -> PreparedSearch:
    """Make the lists of a search on a GPU."""
    from prunus.subsetsum.gpu.four_list import GpuFourLists
    from prunus.subsetsum.gpu.list_sizes import SLICES
    from prunus.subsetsum.gpu.two_list import GpuTwoLists

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
