"""The numbers on which speed depends, one record a method; no answer depends on any of them.

Seconds are those of one core of the machine on which the benchmark ran that is named: what decides
is how they compare with each other.
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
    poll_interval_s: float = 0.03
    bound_interval_s: float = 1.0
    """Seconds between two polls of the monitor, and between two computations of the bound."""
    last_bound_states: int = 2_000_000
    """A search with two lists that is stopped computes a last bound if they have no more states."""
    patience_s: float = 0.1
    """Seconds that the core gets whatever the dense method would cost."""
    cell_s: float = 1.2e-10
    far_cell_s: float = 8e-10
    """Seconds a cell of the dense method, and of a table beyond the cache with weights that reach
    beyond any tile. Set by ``benchmarks.knapsack.cores``."""
    cache_bytes: int = 1 << 23
    far_weight: int = 1 << 16
    """Bytes of a table, and weight of an item, from which cells count as far."""
    gpu_cell_s: float = 1e-12
    gpu_item_s: float = 1e-5
    """Seconds a cell and an item on a GPU. Set by ``benchmarks.knapsack.gpu``."""
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
    paired_states: int = 1 << 20
    """States of which a thread looks for the partners at once."""
    pending_share: float = 0.3
    """Pending states, relative to the list, at which they are merged into it."""
    scan_states: int = 1 << 20
    """States that a thread shifts at once."""
    few_share: float = 0.12
    """Survivors of a shift, relative to the list, up to which they are collected apart."""
    samples: int = 16
    sampled_states: int = 4096
    """Places at which a list is looked at to tell that, and states from which it is."""
    scanned_s: float = 1e-9
    merged_s: float = 4e-9
    sorted_s: float = 25e-9
    """Seconds a state on one core."""


@dataclass(frozen=True, slots=True)
class OutsideInTuning:
    """Fixing from the outside inwards. Set by ``benchmarks.knapsack.classes``."""

    first_list: int = 1 << 12
    """States for which the first lists have room."""
    left_share: float = 0.85
    """Items left, of those left before, until new prices are sought."""
    fewest_items: int = 3
    """Items that are decided at the same prices, at least."""
    priced_states: int = 4
    """States for which prices are sought."""
    slice_states: int = 4_000_000
    """States between two looks at the clock."""


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
    margins: tuple[int, ...] = (100, 10_000, 1 << 50)
    """How far below the bound choices are sought, in units of profit."""


@dataclass(frozen=True, slots=True)
class DenseTuning:
    """The dense recursion on cores. Set by ``benchmarks.knapsack.cores``."""

    tile_cells: int = 1 << 15
    """Cells of a tile: with what the items reach beyond it, it stays in a core's cache."""
    reach_cells: int = 1 << 14
    """How far the items of a pass may reach together."""
    pass_items: int = 128
    """Items in a pass, at most."""
    pass_cells: int = 1 << 29
    """Cells of a pass, at most."""
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
    look_cells: float = 5e10
    """Cells between two looks at the clock: a launch of some ten milliseconds."""


@dataclass(frozen=True, slots=True)
class KnapsackTuning:
    """All of them."""

    search: SearchTuning = field(default_factory=SearchTuning)
    two_list: TwoListTuning = field(default_factory=TwoListTuning)
    outside_in: OutsideInTuning = field(default_factory=OutsideInTuning)
    groups: GroupsTuning = field(default_factory=GroupsTuning)
    dense: DenseTuning = field(default_factory=DenseTuning)
    gpu_dense: GpuDenseTuning = field(default_factory=GpuDenseTuning)


DEFAULT = KnapsackTuning()
"""What the library uses."""
