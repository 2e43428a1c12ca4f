"""What the methods on a GPU were tuned to: one record, each number with its unit.

Set with ``benchmarks/assignment/gpu.py`` (deadlines, the exact method from n = 1,000 to 40,000) and
``benchmarks/assignment/more.py`` (scales and slices of cost scaling) on an H200.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DeviceTuning:
    """Thresholds and shares of the methods on a GPU."""

    threads: int = 256
    """Of a block."""
    guided_rows: int = 256
    """Problems of fewer rows are too small to be sampled."""
    sampled_error: float = 7e-5
    """By which part of the spread the prices of a sample are off."""
    sampling_share: float = 0.4
    placing_share: float = 0.3
    """Parts of the time left that a sample's auction may take, and that a start has for itself."""
    price_sweeps: int = 2
    """At most so many sweeps lower the prices that a sample gave."""
    wide_gap: float = 1e-3
    """Relative; sweeps end below it."""
    sample_rows: int = 4096
    """Rows and columns of a sample, half of all at most."""
    hurried_samples: tuple[tuple[float, int], ...] = ((2.5e-3, 1024), (5e-3, 2048))
    """Seconds left, and the size of the sample if there are fewer."""
    asked_rows: int = 512
    """So many rows tell whether they all want the same columns: they are scanned all at once."""
    sample_epsilons: tuple[float, ...] = (0.05, 0.01, 0.002, 0.0004)
    """Of the sample's auction, in parts of the spread."""
    sample_unassigned: float = 0.05
    """The part of the sample's rows that may be left without a column."""
    first_epsilon: float = 5.0
    last_epsilon: float = 0.02
    host_epsilon: float = 0.002
    rectangle_epsilon: float = 0.1
    """ε of the auction: in the first phase, in the last, and in the last before the host goes on,
    with as many columns as rows and with more; in n-th parts of the spread."""
    epsilon_divisor: float = 5.0
    """From phase to phase."""
    left_to_next: float = 0.02
    """The part of the rows that the first phase leaves without a column, the next one half as many:
    the last rows bid one after the other, at prices that the next phase makes worthless."""
    easy_bids: float = 4
    """Bids a row in the first phase; where it takes more, rows want the same columns."""
    coarser: tuple[tuple[float, float], ...] = ((0.2, 20), (10.0, 40), (100.0, 200))
    """Where columns will stay free, of one attempt after the other: ε, in parts of
    ``rectangle_epsilon``, and the bids a row after which it is given up."""
    most_bids: float = 20
    """Bids a row of a phase where pairs are forbidden."""
    worse_off: float = 2e-3
    """Where columns will stay free, their prices fall until so few of the rows, as a part of all,
    would rather have another column than their own."""
    auction_slice_ns: int = 2_000_000
    """Nanoseconds of bidding between two looks at the clock."""
    host_seconds: float = 1.0
    """With less time left than this, the host, whose steps are longer, is done without."""
    left_to_host: float = 0.001
    """The part of the rows that the last phase may leave without a column if the host finds the
    optimum."""
    near_best: float = 8.0
    """Rows are worse off than with their best column by no more than half of this, in n-th parts of
    the spread, where lists that were made before the auction tell what comes after it."""
    tree_rows: int = 8_000
    """Rows in the host's trees of paths between two looks at the clock: a few milliseconds."""
    reduction_bids: int = 4
    """Bids a row that the host's row reduction may take."""
    whole_rows: int = 8
    whole_rows_of_host: int = 64
    """So many rows of trees are looked at as a whole where their lists come to their end, each for
    itself, before the device makes new lists of many; a device's rows, and those that lie in the
    host's memory as well."""
    extended_rows: int = 1024
    """Rows that get more candidates at once."""
    scales: tuple[float, ...] = (30.0, 3.0, 0.3, 0.1, 0.03, 0.01)
    """ε of each scale of cost scaling but the last, which has none, in n-th parts of the spread."""
    scaling_slice_ns: int = 15_000
    """Nanoseconds that prices rise between two searches for cycles."""
    scaling_slices: int = 8
    few_scaling_slices: int = 4
    """Slices between two looks at the status; before the first look, and under a deadline."""
    few_switches: int = 16
    """All rows are evaluated again until fewer than one in so many has found an exchange."""
    busy_rows: int = 64
    """With a tolerance switching ends when one row in so many is being evaluated."""
    offer_interval: float = 10
    """Within a phase the assignment is offered once in so many times what the last offer took."""


DEFAULT_TUNING = DeviceTuning()
"""What an instance is solved with where nothing else is said; tests put another one here."""
