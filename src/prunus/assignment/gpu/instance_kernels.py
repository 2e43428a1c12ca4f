"""The kernels of an instance: compiled for what it is like, and ready for its size."""

from __future__ import annotations

from typing import Any

from prunus.assignment.gpu.value_source import ValueSource, constants
from prunus.hardware.device import Device

LONG = 256
"""Candidates of a row where all rows want the same columns: prices rise so much there that short
lists are soon of no use."""

_FILE = "assignment/gpu/kernels/assignment.cu"

_SHARED = 4096

_NOTE_BYTES = {
    "find_exchanges": 8192,
    "fill_lists": 8192,
    "renew_lists": 8192,
    "switch_rows": 16384,
}
"""Bytes that a block has for notes on rows, see ``switching.cuh`` and ``candidate_lists.cuh``."""

_COMPILED: dict[tuple[Any, ...], tuple[Any, dict[str, tuple[Any, int, int]]]] = {}
"""Compiled kernels, and those of them that are ready, by device and constants."""


class InstanceKernels:
    """Kernels for the values of a source, of which ``pack`` are read at once.

    Blocks have so many ``threads``; ``spare`` and ``owned`` are those of ``DeviceInstance``.
    ``links_fit`` says whether links of columns fit into a block's own memory.
    """

    def __init__(
        self, device: Device, source: ValueSource, pack: int, threads: int, spare: bool, owned: bool
    ) -> None:
        self._device, self._source, self._like = device, source, (pack, threads, spare, owned)
        self._threads = threads
        self.links_fit = 4 * source.columns + 12 <= device.shared_limit

    def load(self, listed: int) -> None:
        """Compile those for lists of so many candidates, or take them from another instance."""
        device, source = self._device, self._source
        self.constants = constants(source, *self._like, listed)
        key = type(device), device.index, *self.constants.values()
        if key not in _COMPILED:
            if source.metric >= 0 and source.sign > 0:
                # All rows want the same columns, those that are far: longer lists will follow.
                device.begin_compiling(_FILE, constants(source, *self._like, LONG))
            _COMPILED[key] = device.compile(_FILE, self.constants), {}
        self._module, self._ready = _COMPILED[key]

    def ready(self, name: str) -> tuple[Any, int, int]:
        """Return a kernel, how many blocks fill the card, and the bytes of its own of each."""
        shared = _NOTE_BYTES.get(name, _SHARED)
        if name == "apply_cycles" and self.links_fit:
            shared = 16 * -(-self._source.columns // 4)
        # One kernel serves instances of all sizes, and has to be prepared for the largest.
        if name not in self._ready or self._ready[name][2] < shared:
            kernel, resident = self._device.prepare(self._module, name, self._threads, shared)
            self._ready[name] = kernel, max(1, resident) * self._device.multiprocessors, shared
        return self._ready[name]
