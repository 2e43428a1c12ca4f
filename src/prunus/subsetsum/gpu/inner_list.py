"""The inner list of a side in the memory of a GPU: the keys of all subsets, residue by residue.

A short list is a counting sort with its counters in the memory. A long one is made range by range
of the residues, with all of a range in shared memory: what the atomic counters in the memory's
cache can do is too little for it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from prunus.hardware.device import Device, DeviceArray
from prunus.subsetsum.gpu.keys import packed
from prunus.subsetsum.gpu.layout import LONG_LIST, SHORT_LIST

SHORT = 1 << 22
"""Keys of a short list at most."""
OTHERS = 9
"""Items of a long list that are not in its short one."""
_FILLED = 0.83
"""How much of the room in shared memory a range fills on average, so that nearly all fit."""
_BUCKET = 2
"""Entries of a bucket of the short list, roughly."""
_THREADS = 256
LONG_CONSTANTS = {"THREADS": 512, "BLOCKS": 2, "AHEAD": 4, "EACH": 16, "WIDEST": 11}
"""Of the kernels of a long list, where two blocks fit a multiprocessor; see their file."""


@dataclass(frozen=True, slots=True)
class InnerList:
    """The list, in device arrays."""

    keys: Any
    masks: Any
    """Of every subset, in the order of the residues."""
    start: Any
    """Where each residue begins, and the end."""
    kept: tuple[Any, ...] = ()
    """What kernels that may still run read."""


def inner_list(device: Device, weights: Sequence[int], modulus: int, sign: int) -> InnerList:
    """Start to make the list of the sums of some weights, or of their negatives."""
    count = 1 << len(weights)
    keys, masks = device.empty(count, np.uint32), device.empty(count, np.uint32)
    # The kernels that search read the sentinel as the end of the last residue.
    start = device.full(modulus + 1, 0, np.uint32)
    fill = _by_ranges if count > SHORT else _by_counting
    out = InnerList(keys, masks, start)
    return replace(out, kept=fill(device, weights, modulus, sign, out))


def _by_counting(
    device: Device, weights: Sequence[int], modulus: int, sign: int, out: InnerList
) -> tuple[DeviceArray, ...]:
    count, split = 1 << len(weights), (len(weights) + 1) // 2
    parts = weights[:split], weights[split:]
    low, high = (device.put(packed(part, modulus, sign)) for part in parts)
    told = SHORT_LIST.record(
        low=device.address(low),
        high=device.address(high),
        split=split,
        count=count,
        start=device.address(out.start),
        keys=device.address(out.keys),
        masks=device.address(out.masks),
        modulus=modulus,
    )
    search = device.put(told.view(np.uint64))
    module = device.compile("subsetsum/gpu/inner_list.cu", {"THREADS": _THREADS})
    blocks = max(1, min(count // _THREADS, 16 * device.multiprocessors))
    for name in ("tally", "place"):
        kernel, _ = device.prepare(module, name, _THREADS, 0)
        device.launch(kernel, blocks, _THREADS, device.address(search), 0)
        if name == "tally":
            device.running_sum(out.start)
    return low, high, search


def _by_ranges(
    device: Device, weights: Sequence[int], modulus: int, sign: int, out: InnerList
) -> tuple[DeviceArray, ...]:
    items = max(0, len(weights) - OTHERS)
    split, short = (items + 1) // 2, 1 << items
    parts = (weights[:split], weights[split:items], weights[items:])
    tables = [device.put(packed(part, modulus, sign)) for part in parts]
    shift = max(0, (_BUCKET * modulus // short).bit_length() - 1)
    bucket = device.full(((modulus - 1) >> shift) + 2, 0, np.uint32)
    pairs, names = device.empty(short, np.uint64), device.empty(short, np.uint32)
    constants, shared = _long_constants(device)
    threads = constants["THREADS"]
    room, widest = threads * constants["EACH"], 1 << constants["WIDEST"]
    width = max(1, min(int(_FILLED * room) * modulus >> len(weights), widest, modulus))
    ranges = -(-modulus // width)
    before = device.full(ranges + 1, 0, np.uint32)
    told = LONG_LIST.record(
        first=device.address(tables[0]),
        second=device.address(tables[1]),
        split=split,
        items=items,
        bucket=device.address(bucket),
        shift=shift,
        pairs=device.address(pairs),
        names=device.address(names),
        high=device.address(tables[2]),
        highs=1 << len(parts[2]),
        modulus=modulus,
        width=width,
        ranges=ranges,
        before=device.address(before),
        start=device.address(out.start),
        list=device.address(out.keys),
        masks=device.address(out.masks),
    )
    search = device.put(told.view(np.uint64))
    module = device.compile("subsetsum/gpu/long_list.cu", constants)
    for name, wanted, own in (
        ("tally_short", short / threads, 0),
        ("place_short", short / threads, 0),
        ("measure", (ranges + 1) * max(device.warp, 1 << len(parts[2])) / threads, 0),
        ("place", ranges, shared),
    ):
        kernel, resident = device.prepare(module, name, threads, own)
        blocks = min(math.ceil(wanted), max(1, resident) * device.multiprocessors)
        device.launch(kernel, blocks, threads, device.address(search), own)
        if name == "tally_short":
            device.running_sum(bucket)
    return *tables, bucket, pairs, names, before, search


def _long_constants(device: Device) -> tuple[dict[str, int], int]:
    """Return the constants for what a device has of shared memory, and how much a block takes."""
    constants = dict(LONG_CONSTANTS)
    threads = constants["THREADS"]
    beside = (4 << constants["WIDEST"]) + 4 * (threads // device.warp + 1)
    most = (device.shared_limit - beside) // (12 * threads)
    constants["EACH"] = max(1, min(constants["EACH"], most))
    return constants, 12 * threads * constants["EACH"] + beside
