"""Everything that defines a search in pieces, small enough to be sent to a worker."""

from __future__ import annotations

from dataclasses import dataclass

from prunus.subsetsum.gpu import list_sizes
from prunus.subsetsum.residue_partition import ResiduePartition, partition_items
from prunus.subsetsum.two_lists import cpu as two_list


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


def count_pieces(work: SearchDescription) -> int | None:
    """Return how many pieces some work has; None if that is known only from its lists."""
    if work.kind == "four-list":
        return None if work.partition is None else work.partition.pieces
    if work.kind == "two-list-gpu":
        return list_sizes.pieces(work.fixed)
    if work.kind == "wide-list":
        return 1 << work.fixed
    return two_list.pieces(len(work.weights), work.fixed)
