"""The search's memory on the device, and the structures through which kernels reach it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from prunus.hardware.cuda.structs import Field, Structure
from prunus.hardware.device import Device

CONTROL = Structure(
    "Control",
    Field("incumbent", "i64", "not negative; children whose bound is at least this are pruned"),
    Field("stop", "int", "raised: every explorer leaves as soon as it can"),
    Field("starving", "u32", "explorers without work"),
    Field("nodes", "u64", "since the search began"),
    Field("leaves", "u64", "since the search began"),
    Field("steals", "u64", "since the search began"),
    Field("expansions", "u64", "expansions of up to one warp of nodes"),
    Field("critical_expansions", "u64", "most expansions of one explorer, summed over slices"),
    Field("least_bound", "i64", "least open bound, by the kernel least_bound"),
    Field("buffer_next", "int", "shared entries: taken"),
    Field("buffer_size", "int", "shared entries: present"),
    Field("active", "int", "explorers with work, by the kernel count_active"),
    Field("extracted", "int", "entries written by extract_share or copy_open"),
    Field("overflow", "int", "a pool or a buffer was too small: the search is void"),
    Field("replay_lock", "int", "of the slot that belongs to no explorer"),
    Field("entries", "int", "in all pools, by the kernel count_active"),
    Field("most_expansions", "int", "expansions of the busiest explorer in this slice"),
    Field("expansion_ns", "u64", "their mean time, of the explorer that waited least"),
)

HOST_CONTROL = Structure(
    "HostControl",
    Field("incumbent", "i64", "of all devices"),
    Field("stop", "int", "not 0: end the kernel"),
    Field("padding", "int"),
)
"""What the host says to a running kernel, in host memory that the device reads over the bus. One
explorer looks at it for all."""

SEARCH = Structure(
    "Search",
    Field("control", "Control*"),
    Field("pools", "u32*", "explorers x capacity x ENTRY_WORDS"),
    Field("bottom", "int*", "explorers: first entry in the pool"),
    Field("top", "int*", "explorers: after the last entry"),
    Field("buffer", "u32*", "entries that belong to no explorer yet"),
    Field("tables", "const u32*", "the problem's"),
    Field("starving_bits", "u32*", "explorers / 32: one bit for each that waits for work"),
    Field("best_values", "i64*", "explorers + 1: best objective found, with its path in solutions"),
    Field("solutions", "u32*", "(explorers + 1) x PATH_WORDS"),
    Field("digits", "u8*", "of all intervals' paths, one after another"),
    Field("directions", "u8*", "intervals x DIRECTION_BYTES"),
    Field("depth", "u16*", "intervals"),
    Field("end_level", "u16*", "intervals"),
    Field("end_digit", "u16*", "intervals"),
    Field("starts", "u32*", "intervals: where their paths begin"),
    Field("out", "u32*", "entries given away or copied, out_words each"),
    Field("widths", "u64*", "LEVELS: intervals written to out, by level, in leaves' weights"),
    Field("host", "const HostControl*"),
    Field("lengths", "double*", "explorers + 1: measure of what waits; the sum"),
    Field("weights", "const double*", "LEVELS: share of the tree below one child of a level"),
    Field("victims", "int*", "explorers: whom to steal from, -1 nobody"),
    Field("claimed", "int*", "explorers: already somebody's victim"),
    Field("explorers", "i64"),
    Field("capacity", "i64"),
    Field("intervals", "i64"),
    Field("budget", "i64"),
    Field("buffer_capacity", "i64"),
    Field("out_capacity", "i64"),
    Field("trigger", "i64", "0: donations; else stop once so many explorers are out of work"),
    Field("buffer_chunk", "i64", "entries taken from the buffer at a time"),
    Field("extract_fraction", "i64", "part to give away, in 1/65536"),
    Field("out_words", "i64", "words of an entry in out: with its state or without"),
    Field("selection", "i64", "victim selection"),
    Field("window", "i64", "victim selection"),
    Field("shift", "i64", "victim selection"),
    Field("min_donatable", "i64", "children that must wait before an explorer gives"),
    Field("incumbent", "i64", "the host's, as of the last slice"),
    Field("buffer_is_new", "i64", "the buffer is new"),
    Field("buffer_start", "i64", "entries in it then"),
)
"""All fields are eight bytes wide."""

STRUCTURES = (CONTROL, HOST_CONTROL, SEARCH)


_WORD = {field.name: word for word, field in enumerate(SEARCH.fields)}


class SearchMemory:
    """Named device arrays and numbers, and the structure through which kernels reach them."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._arrays: dict[str, Any] = {}
        self._fields = SEARCH.record().view(np.int64)
        self._search = device.full(SEARCH.words, 0, np.int64)
        self._changed = True

    def hold(self, name: str, array: Any) -> Any:
        """Make a device array known to the kernels under a name."""
        self._arrays[name] = array
        self.set(name, self._device.address(array))
        return array

    def put(self, name: str, values: NDArray[Any]) -> Any:
        """Copy a host array to the device under a name."""
        return self.hold(name, self._device.put(np.ascontiguousarray(values)))

    def full(self, name: str, count: int, value: int, kind: DTypeLike) -> Any:
        """Allocate ``count`` equal values under a name."""
        return self.hold(name, self._device.full(count, value, kind))

    def empty(self, name: str, count: int, kind: DTypeLike) -> Any:
        """Allocate ``count`` undefined values under a name."""
        return self.hold(name, self._device.empty(count, kind))

    def array(self, name: str) -> Any:
        return self._arrays[name]

    def drop(self, name: str) -> Any:
        return self._arrays.pop(name)

    def set(self, name: str, value: int) -> None:
        place = _WORD[name]
        if self._fields[place] != value:
            self._fields[place] = value
            self._changed = True

    def number(self, name: str) -> int:
        return int(self._fields[_WORD[name]])

    def read(self, name: str) -> NDArray[Any]:
        """Return an array's values, when the kernels before are done."""
        return np.asarray(self._device.read(self._arrays[name]))

    def write(self, name: str, values: NDArray[Any]) -> None:
        """Overwrite the beginning of an array."""
        self._device.write(self._arrays[name], values)

    def address(self) -> int:
        """Return the address of the structure, up to date."""
        if self._changed:
            self._device.write(self._search, self._fields)
            self._changed = False
        return int(self._device.address(self._search))
