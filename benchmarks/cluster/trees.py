"""Statistics of real trees, as ``record`` has found them, and the machines that search them."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.cluster.synthetic import Halves, Sizes

RECORDED = Path(__file__).with_name("recorded.json")


@dataclass(frozen=True)
class TreeKind:
    """What a tree is like."""

    name: str
    """Of the tree that was recorded."""
    sizes: Sizes
    """How unequal its open intervals are."""
    halves: Halves
    """How unequal the halves of a divided interval are."""
    rate_spread: float
    """The standard deviation of the logarithm of the nodes a second, from unit to unit."""


@dataclass(frozen=True)
class Machine:
    """What a worker has: its devices as one."""

    rate: float
    """Nodes a second of all its devices together."""
    open_intervals: int
    """How many are open once all devices are at work."""
    fill_s: float
    """Seconds until they are, from a single interval on."""
    least_nodes: float
    """Nodes of an interval on average when devices begin to run dry."""
    drain_s: float
    """Seconds that the last nodes of a work unit take beside their share of the rate."""
    unit_s: float
    """Seconds to take up a work unit and to return it, whatever it is."""
    interval_s: float
    """The same for each interval that comes or goes."""

    def times(self, devices: int) -> Machine:
        """Return a machine with so many of these devices."""
        return replace(self, rate=self.rate * devices, open_intervals=self.open_intervals * devices)


H200_FLOWSHOP = Machine(
    rate=16.5e9,
    open_intervals=225_000,
    fill_s=0.1,
    least_nodes=50.0,
    drain_s=0.003,
    unit_s=0.002,
    interval_s=14e-3 / 225_000,
)
"""An H200 with ta056: 173.3 G nodes in 10.5 s on two cards, 225,000 open intervals after two
seconds, 14 ms of a worker for a unit of so many (NOTES-cluster.md). The sizes
of subtrees were recorded on cores."""

H200_QUEENS = replace(H200_FLOWSHOP, rate=1.0e12, open_intervals=225_000)
"""An H200 with queens: 10^12 visited nodes a second."""


def kinds() -> dict[str, TreeKind]:
    """Return what was recorded, by name."""
    return {
        name: TreeKind(
            name,
            Sizes(tuple(one["body"]), *one["tail"]),
            tuple(one["halves"]),
            one["rate_spread"],
        )
        for name, one in json.loads(RECORDED.read_text(encoding="utf-8")).items()
    }
