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
    take_up_s: float
    """Seconds that each interval takes beside that when it comes."""
    return_s: float
    """The same when it goes."""
    devices: int = 1
    """How many there are."""

    def times(self, devices: int) -> Machine:
        """Return a machine with so many of these devices."""
        return replace(
            self,
            rate=self.rate * devices,
            open_intervals=self.open_intervals * devices,
            devices=devices,
        )


H200_FLOWSHOP = Machine(
    rate=8.1e9,
    open_intervals=210_000,
    fill_s=0.1,
    least_nodes=50.0,
    drain_s=0.003,
    unit_s=0.002,
    take_up_s=7.6e-3 / 225_000,
    return_s=6.3e-3 / 225_000,
)
"""An H200 with ta056, as ``record_gpu`` saw it; intervals travel packed (NOTES-cluster.md, what a
slice costs)."""

H200_OWN = replace(
    H200_FLOWSHOP, rate=3.1e8, take_up_s=16.5e-3 / 273_000, return_s=5.2e-3 / 273_000
)
"""An H200 with a user's problem, a quadratic assignment of 15 facilities, as ``record_gpu`` saw it;
it had 273,000 intervals open."""

H200_QUEENS = replace(H200_FLOWSHOP, rate=9.4e11)
"""An H200 with 20 queens, 3.95e11 nodes in .422 s (NOTES-queens.md)."""


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
