"""GPUs whose kernels give each other work while they run: the host's side of ``peers.cuh``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prunus.treesearch.interval.gpu.explorer import GpuExplorer
from prunus.treesearch.interval.gpu.memory import PEER
from prunus.treesearch.interval.gpu.victims import Victims
from prunus.treesearch.model import Explorer

__all__ = ["link"]

MOST = 15
"""Devices; each has a bit in half a word."""

HUNGRY = 0.5
"""A device of which this part of the explorers wait is given work by others and gives none,"""

SATED = 0.1
"""until no more than this part wait."""


def link(explorers: Sequence[Explorer]) -> None:
    """Let explorers of one tree on several devices exchange work while they run.

    Does nothing unless all of them are able to. As long as one explores, all have to be kept.
    """
    able = [e for e in explorers if isinstance(e, GpuExplorer) and e.victims is Victims.GIFTS]
    engines = [explorer.engine for explorer in able]
    if len(able) < len(explorers) or not all(engine.linkable for engine in engines):
        return
    if not 2 <= len(engines) <= MOST:
        return
    rows = []
    for slot, engine in enumerate(engines):
        memory = engine.memory
        memory.set("slot", slot)
        memory.set("hungry", max(1, round(HUNGRY * engine.explorers)))
        memory.set("sated", max(1, round(SATED * engine.explorers)))
        rows.append([memory.number(field.name) for field in PEER.fields])
    for slot, explorer in enumerate(able):
        others = rows[:slot] + rows[slot + 1 :]
        memory = engines[slot].memory
        memory.put("peers", np.array(others, np.int64))
        memory.set("peer_count", len(others))
        explorer.linked = True
