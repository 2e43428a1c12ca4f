"""The numbers on which speed depends, one record a method.

Which method works when follows from counts of states, cells and items alone, so that it is the same
on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class SearchTuning:
    """When which method works. Set by ``benchmarks.knapsack.classes``."""

    first_states: int = 2_000
    """States that the first core, on the plain relaxation, may make besides one per item."""
    counted_states: int = 20_000
    """States that the second core, with a constraint on the number of items, may make."""
    third_states: int = 300_000
    """States that the third core may make before items are fixed from the outside inwards."""
    one_list_states: int = 2_000_000
    """States that the core makes with one list before it goes on with two."""
    outside_in_list: int = 10_000
    """States of a list while items are fixed from the outside inwards, besides one per 4 items."""
    outside_in_states: int = 10_000_000
    outside_in_states_per_item: int = 5_000
    """States made while items are fixed from the outside inwards: in all, and per item."""
    counted_bundle: int = 2_000
    """With larger bundles of identical items there is no constraint on the number of items."""
    first_bytes: int = 1 << 24
    """Bytes that lists may take without asking how much memory is free."""
    poll_interval_s: float = 0.03
    """Seconds between two polls of the monitor."""
    bounded_states: int = 100_000_000
    """States that two lists merge between two computations of the bound."""
    lattice: bool = True
    outside_in: bool = True
    """Whether bounds are rounded down to a lattice, and items fixed from the outside inwards."""
    last_bound_states: int = 2_000_000
    """A search with two lists that is stopped computes a last bound if they have no more states."""
    patient_states: int = 25_000_000
    """States that two lists may merge whatever the dense method would cost."""
    state_cells: float = 33.0
    """Cells of the dense method that cost as much as a state that two lists merge. Set by
    ``benchmarks.knapsack.cores``, as the next three."""
    far_cell: float = 6.7
    """What a cell costs of a table beyond the cache with weights that reach beyond any tile."""
    cache_bytes: int = 1 << 23
    far_weight: int = 1 << 16
    """Bytes of a table, and weight of an item, from which cells count as far."""
    gpu_cell: float = 0.008
    gpu_item_cells: float = 83_000.0
    """What a cell and an item cost on a GPU, in cells of a core. Set by
    ``benchmarks.knapsack.gpu``."""
    bundle_share: float = 0.7
    dense_bundle_share: float = 0.9
    """Identical items are tied into bundles where that leaves fewer items than this share."""


@dataclass(frozen=True, slots=True)
class TwoListTuning:
    """The two-list core. Set by ``benchmarks.knapsack.classes``."""

    piece_states: int = 1 << 16
    """States of a range that is merged at once."""
    shared_states: int = 1 << 18
    """States of a list from which a second thread pays."""


@dataclass(frozen=True, slots=True)
class GroupsTuning:
    """The method of groups. Set by ``benchmarks.knapsack.open_instances``."""

    sums: int = 4_000_000
    """Sums of weight after one class, at most."""
    coarser: int = 16
    """By how much coarser the grid is if there are more."""
    work: int = 300_000_000
    """Looks at sums for a class, at most: some tenths of a second."""
    slice_work: int = 10_000_000
    """Looks at sums between two looks at the clock."""
    vectors: int = 2_000
    """Vectors of counts that are filled for one threshold, at most."""


@dataclass(frozen=True, slots=True)
class DenseTuning:
    """The dense recursion on cores. Set by ``benchmarks.knapsack.cores``."""

    tile_cells: int = 1 << 15
    """Cells of a tile: with what the items reach beyond it, it stays in a core's cache."""
    reach_cells: int = 1 << 14
    """How far the items of a pass may reach together."""
    slice_cells: int = 1 << 26
    """Cells that are computed between two looks at the clock: some hundredths of a second."""
    shared_cells: int = 1 << 21
    """Cells below which a second core does not pay."""
    apart_weight: int = 1 << 20
    """Weights from which a range is split at every weight, not copied."""
    bit_bytes: int = 1 << 25
    """Bytes of decision bits from which halving is faster: fresh memory costs more than cells."""


@dataclass(frozen=True, slots=True)
class GpuDenseTuning:
    """The dense recursion on GPUs. Set by ``benchmarks.knapsack.gpu`` on an H200."""

    exchange_ps: float = 4e7
    """Picoseconds that an exchange between devices takes, with what it costs the host."""
    look_ps: float = 2e10
    """Picoseconds between two looks at the clock, as long as launches are expected to take."""


@dataclass(frozen=True, slots=True)
class KnapsackTuning:
    """All of them."""

    search: SearchTuning = field(default_factory=SearchTuning)
    two_list: TwoListTuning = field(default_factory=TwoListTuning)
    groups: GroupsTuning = field(default_factory=GroupsTuning)
    dense: DenseTuning = field(default_factory=DenseTuning)
    gpu_dense: GpuDenseTuning = field(default_factory=GpuDenseTuning)


DEFAULT = KnapsackTuning()
"""What the library uses."""
