"""How work gets onto a device: intervals are replayed, entries of another device copied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from prunus.hardware.device import Device
from prunus.treesearch.interval.gpu.device_search import DeviceSearch
from prunus.treesearch.interval.gpu.device_work import DeviceWork
from prunus.treesearch.interval.interval import Intervals
from prunus.treesearch.interval.packed import Packed
from prunus.treesearch.interval.work import intervals_in
from prunus.treesearch.model import Work


def fill_work_buffer(search: DeviceSearch, parts: Sequence[Work]) -> int:
    """Add work to what is in a device's work buffer; the next ``prepare`` shows it to the kernels.

    Work of another device comes over as whole entries if it has them; everything else as
    intervals, of which a lane each walks the path again. Call it between kernels.

    Returns how many intervals ``replay`` has to turn into entries after ``prepare``.
    """
    memory, device, entry = search.memory, search.device, search.layout.entry
    # Held until they are copied: whoever reads it as intervals meanwhile releases its memory.
    from_devices, others = [], [Packed.of(Intervals.empty(len(search.radix)))]
    for part in parts:
        entries = part.entries if isinstance(part, DeviceWork) else None
        if isinstance(part, DeviceWork) and entries is not None:
            from_devices.append((part, entries))
        else:
            others.append(part if isinstance(part, Packed) else Packed.of(intervals_in(part)))
    packed = Packed.concatenate(others[1:] or others)
    depth = packed.depth.astype(np.int64)
    left = search.in_buffer
    size = left + sum(len(work) for work, _ in from_devices)
    replayed = int(np.maximum(1, depth - packed.end_level).sum())
    buffer = device.empty((size + replayed) * entry, np.uint32)
    if left:
        first = int(search.control["buffer_next"]) * entry
        _copy(buffer, memory.array("buffer")[first : first + left * entry], device, device)
    at = left
    for work, entries in from_devices:
        _copy(buffer[at * entry :], entries, device, work.device)
        at += len(work)
    device.finish()  # before anybody can free what was copied
    memory.hold("buffer", buffer)
    memory.set("buffer_capacity", size + replayed)
    memory.set("buffer_start", size)
    memory.set("buffer_is_new", 1)
    memory.set(
        "buffer_chunk", min(device.warp, max(1, (size + replayed) // (2 * search.explorers)))
    )
    if len(packed):
        memory.put("digits", packed.digits.astype(search.layout.item, copy=False))
        memory.put("directions", packed.directions)
        for name in ("depth", "end_level", "end_digit"):
            memory.put(name, getattr(packed, name).astype(np.uint16))
        memory.put("starts", (np.cumsum(depth) - depth).astype(np.uint32))
        memory.set("intervals", len(packed))
    return len(packed)


def _copy(to: Any, source: Any, device: Device, origin: Device) -> None:
    device.copy(device.address(to), origin.address(source), source.nbytes, origin)
