"""How work gets onto a device: intervals are replayed, entries of another device copied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from prunus.hardware.device import Device
from prunus.treesearch.interval.gpu.engine import Engine
from prunus.treesearch.interval.gpu.parcel import Parcel
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.packed import Packed
from prunus.treesearch.model import Work

__all__ = ["fill_bag"]


def fill_bag(engine: Engine, parts: Sequence[Work]) -> int:
    """Add work to the entries in an engine's bag; the next ``prepare`` shows it to the kernels.

    Parcels with whole entries come over as they are; everything else as intervals, of which a lane
    each walks the path again. Call it between kernels.

    Returns
    -------
    int
        How many intervals ``replay`` has to turn into entries after ``prepare``.
    """
    memory, device, entry = engine.memory, engine.device, engine.layout.entry
    # Held until they are copied: who reads a parcel as intervals meanwhile lets its buffer go.
    parcels, others = [], [Packed.of(Intervals.empty(len(engine.radix)))]
    for part in parts:
        entries = part.entries if isinstance(part, Parcel) else None
        if isinstance(part, Parcel) and entries is not None:
            parcels.append((part, entries))
        else:
            others.append(part if isinstance(part, Packed) else Packed.of(part.intervals()))
    packed = Packed.concatenate(others[1:] or others)
    depth = packed.depth.astype(np.int64)
    left = engine.in_bag
    size = left + sum(len(parcel) for parcel, _ in parcels)
    replayed = int(np.maximum(1, depth - packed.end_level).sum())
    bag = device.empty((size + replayed) * entry, np.uint32)
    if left:
        first = int(engine.control["bag_next"]) * entry
        _copy(bag, memory.array("bag")[first : first + left * entry], device, device)
    at = left
    for parcel, entries in parcels:
        _copy(bag[at * entry :], entries, device, parcel.device)
        at += len(parcel)
    device.finish()  # before anybody can free what was copied
    memory.hold("bag", bag)
    memory.set("bag_capacity", size + replayed)
    memory.set("bag_start", size)
    memory.set("refill", 1)
    memory.set("grab", min(device.warp, max(1, (size + replayed) // (2 * engine.explorers))))
    if len(packed):
        memory.put("digits", packed.digits.astype(engine.digit, copy=False))
        memory.put("directions", packed.directions)
        for name in ("depth", "end_level", "end_digit"):
            memory.put(name, getattr(packed, name).astype(np.uint16))
        memory.put("starts", (np.cumsum(depth) - depth).astype(np.uint32))
        memory.set("intervals", len(packed))
    return len(packed)


def _copy(to: Any, source: Any, device: Device, origin: Device) -> None:
    device.copy(device.address(to), origin.address(source), source.nbytes, origin)
