"""One program on one device: its kernels, its memory, its control words."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.errors import DeviceError
from prunus.hardware.device import Device
from prunus.treesearch.interval.gpu.entries import intervals_of
from prunus.treesearch.interval.gpu.host_control import HostControl
from prunus.treesearch.interval.gpu.memory import CONTROL, SearchMemory
from prunus.treesearch.interval.gpu.program import BLOCK, GpuProgram
from prunus.treesearch.interval.interval import leaves, weights
from prunus.treesearch.interval.packed import Packed

LARGEST = 2**63 - 1

KERNELS = (
    *("prepare", "explore", "count_active", "replay", "least_bound", "measure_pools"),
    *("clear_output", "extract_share", "copy_open", "choose_victims", "steal"),
    *("write_ends", "write_paths"),
)

ENDS = ("depth", "end_level", "end_digit")


class DeviceSearch:
    """What an explorer on a GPU is made of.

    Raises ``DeviceError`` if the device has too little memory, or fails.

    There are at most as many pools as ``explorers`` says; if that is None, as many as the device
    runs at once. ``weights`` are the leaves below one child of each level, ``window`` the entries
    at the bottom of a pool from which another device is given work, ``host`` what running kernels
    are told, ``control`` the control words as they were last read.
    """

    def __init__(self, program: GpuProgram, device: Device, explorers: int | None) -> None:
        self.program = program
        self.device = device
        self.window = device.warp
        self.layout = program.layout
        self.radix = tuple(range(program.levels, 0, -1))
        self.weights = weights(self.radix)
        self._kernels: dict[str, Any] = {}
        together = self._compile()
        self._capacity = device.warp * (program.levels + 2)
        self.explorers = min(explorers or together, together, self._affordable())
        self.memory = SearchMemory(device)
        self.host = HostControl(device)
        self._words = CONTROL.words
        self._pinned = device.pinned(self._words + program.levels, np.int64)
        self._allocate()

    def _compile(self) -> int:
        """Compile all kernels; return how many explorers run at once."""
        program, device = self.program, self.device
        launch = program.launch_shape(device)
        constants = {**program.constants, **launch.constants}
        module = device.compile(program.file, constants)
        together = 0
        for name in KERNELS:
            threads = device.warp if name == "replay" else BLOCK
            shared = program.shared_bytes if name in ("replay", "least_bound") else 0
            if name == "explore":
                shared = launch.shared_bytes
            kernel, resident = device.prepare(module, name, threads, shared)
            self._kernels[name] = kernel, threads, shared
            if name == "explore":
                together = resident * device.multiprocessors * BLOCK // device.warp
        return together

    def _affordable(self) -> int:
        """Return how many pools fit in half of the free memory."""
        each = self._capacity * self.layout.entry * 4
        count = int(self.device.free_memory() // 2 // each)
        if count == 0:
            raise DeviceError(
                f"cuda:{self.device.index} has too little free memory for a single explorer of "
                f"this problem ({each / 2**20:.0f} MiB each); end other programs on it or use "
                f"another device"
            )
        return count

    def _allocate(self) -> None:
        t, path, memory = self.explorers, self.layout.path, self.memory
        memory.empty("control", self._words + self.program.levels, np.int64)
        # The widths lie behind the control words, so that one copy brings both.
        memory.set("widths", memory.number("control") + CONTROL.bytes)
        memory.set("host", self.host.address)
        memory.empty("pools", t * self._capacity * self.layout.entry, np.uint32)
        memory.full("starving_bits", -(-t // 32), 0, np.uint32)
        for name in ("bottom", "top"):
            memory.full(name, t, 0, np.int32)
        memory.full("solutions", (t + 1) * path, 0, np.uint32)
        memory.put("tables", self.program.tables)
        memory.full("lengths", t + 1, 0, np.float64)
        memory.full("victims", t, -1, np.int32)
        memory.full("claimed", t, 0, np.int32)
        total = leaves(self.radix)
        memory.put("weights", np.array([w / total for w in self.weights], np.float64))
        memory.set("explorers", t)
        memory.set("capacity", self._capacity)
        memory.set("buffer_chunk", 1)
        memory.set("min_donatable", 32)
        # The first steals shall not wait for the driver to find memory.
        spare = [
            self.device.empty(t * self.window * self.layout.entry, np.uint32) for _ in range(4)
        ]
        spare.clear()
        # Nor a first checkpoint for what decodes it to be compiled.
        some = np.zeros((1, self.layout.head + path), np.uint32)
        some[0, 1] = 1  # the root, its first child waiting
        intervals_of(some, self.layout)
        self.reset()

    def reset(self) -> None:
        memory = self.memory
        control = CONTROL.record()
        control["incumbent"] = control["least_bound"] = LARGEST
        words = np.zeros(self._words + self.program.levels, np.int64)
        words[: self._words] = control.view(np.int64)
        memory.write("control", words)
        for name in ("bottom", "top"):
            memory.write(name, np.zeros(self.explorers, np.int32))
        memory.full("best_values", self.explorers + 1, LARGEST, np.int64)
        memory.empty("buffer", 4, np.uint32)
        memory.set("buffer_is_new", 0)
        memory.set("incumbent", LARGEST)
        self.read()

    def read(self) -> Any:
        """Wait for the kernels and read the control words."""
        words = self.device.read_into(self.memory.array("control"), self._pinned)
        self.control = words[: self._words].copy().view(CONTROL.dtype)[0]
        self.widths = words[self._words :].copy()
        if self.control["overflow"]:
            raise AssertionError("a pool on the device overflowed; this is a defect")
        return self.control

    def change(self, **values: int) -> None:
        """Overwrite control words between kernels."""
        control = self.memory.read("control")
        for name, value in values.items():
            control[: self._words].view(CONTROL.dtype)[0][name] = value
        self.memory.write("control", control)

    def launch(self, name: str, threads: int = 1) -> None:
        """Start a kernel with at least so many threads."""
        kernel, block, shared = self._kernels[name]
        self.device.launch(kernel, -(-threads // block), block, self.memory.address(), shared)

    def launch_warps(self, name: str, *, buffer: bool = False) -> None:
        """Start a kernel with a warp for each pool and, if asked, for each part of the buffer."""
        warp = self.device.warp
        pieces = -(-self.in_buffer // warp) if buffer else 0
        self.launch(name, (self.explorers + pieces) * warp)

    @property
    def in_buffer(self) -> int:
        """Entries that belong to no explorer."""
        return max(0, int(self.control["buffer_size"]) - int(self.control["buffer_next"]))

    @property
    def expansion_ns(self) -> int:
        """What an expansion took in the last slice; 0 where nobody expanded anything."""
        return int(self.control["expansion_ns"]) if self.control["most_expansions"] else 0

    @property
    def empty(self) -> bool:
        """Whether nothing is open on the device."""
        return int(self.control["active"]) == 0 and self.in_buffer == 0

    def extract(self, kernel: str, rooms: int, words: int) -> tuple[Any, int, int]:
        """Have entries written out by ``take`` or ``copy``.

        There may be so many (``rooms``), of each of which so many ``words`` are wanted. Returns a
        device array of entries, how many there are, and the length of their intervals together.
        """
        memory = self.memory
        memory.empty("out", rooms * words, np.uint32)
        memory.set("out_capacity", rooms)
        memory.set("out_words", words)
        self.launch("clear_output")
        self.launch_warps(kernel, buffer=True)
        self.launch("count_active", self.explorers)
        self.read()
        count = int(self.control["extracted"])
        return memory.drop("out")[: count * words], count, self.measure(self.widths)

    def measure(self, widths: NDArray[np.int64]) -> int:
        """Return the leaves that widths by level stand for."""
        return sum(n * w for n, w in zip(widths.tolist(), self.weights, strict=True))

    def pack(self, entries: Any, count: int) -> Packed:
        """Return entries that lie on this device as intervals, when nothing else runs."""
        memory, layout = self.memory, self.layout
        memory.set("out", self.device.address(entries))
        memory.set("out_words", len(entries) // count)
        memory.set("intervals", count)
        for name in ENDS:
            memory.empty(name, count, np.uint16)
        self.launch("write_ends", count)
        depth, end_level, end_digit = (memory.read(name)[:count] for name in ENDS)
        lengths = depth.astype(np.int64)
        memory.put("starts", (np.cumsum(lengths) - lengths).astype(np.uint32))
        memory.empty("digits", int(lengths.sum()) * layout.item.itemsize, np.uint8)
        memory.empty("directions", count * -(-layout.levels // 8), np.uint8)
        self.launch("write_paths", count)
        digits, directions = memory.read("digits"), memory.read("directions")
        short = np.uint8 if layout.levels < 256 else np.uint16
        return Packed(
            layout.levels,
            digits.view(layout.item),
            directions.reshape(count, -1),
            *(values.astype(short) for values in (depth, end_level, end_digit)),
        )
