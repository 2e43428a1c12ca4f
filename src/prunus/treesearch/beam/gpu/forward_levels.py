"""What the levels of a forward beam have on a GPU: arrays, and where kernels find them."""

from __future__ import annotations

import numpy as np

from prunus.hardware.device import Device
from prunus.model.arrays import AnyArray, Int64Array
from prunus.treesearch.beam.gpu.layout import CHOICE, CONTROL, LEVEL
from prunus.treesearch.beam.gpu.level_arrays import LevelArrays
from prunus.treesearch.beam.gpu.program import BeamProgram

BINS, TILE = 4096, 1024
_NONE = np.uint64(2**64 - 1)


class ForwardLevels(LevelArrays):
    """The levels of one beam after the other.

    Children are looked at for others alike, so many (``candidates``) for each that is kept.
    """

    def __init__(
        self, program: BeamProgram, device: Device, candidates: int, random: np.random.Generator
    ) -> None:
        super().__init__(device)
        self._program, self._candidates, self._random = program, candidates, random
        self._words: int = -(-program.levels // 32)
        self._tables = device.put(program.tables)

    @property
    def node_bytes(self) -> int:
        """What all levels take, for each node of a width."""
        program, some = self._program, self._candidates
        levels, key = program.levels, program.number_bytes
        # Of a candidate all that is known, and two to four slots of the table.
        candidate = 4 + 8 + 4 + key + 4 * 12
        rows = 8 * (program.state_words + self._words) + 4 * levels
        return rows + levels * (key + 4 + 1) + 6 * levels + 4 + some * candidate

    def reserve(self, width: int) -> None:
        """Have arrays for so many nodes a level."""
        if width <= self.width:
            return
        levels, program = self._program.levels, self._program
        some = self._candidates * width
        key = f"i{program.number_bytes}"
        slots = 1 << max(6, (2 * some - 1).bit_length())
        sizes: dict[str, tuple[int, str]] = {
            "first_states": (program.state_words * width, "u4"),
            "second_states": (program.state_words * width, "u4"),
            "first_free": (self._words * width, "u4"),
            "second_free": (self._words * width, "u4"),
            "first_lists": (levels * width, "u2"),
            "second_lists": (levels * width, "u2"),
            "keys": (levels * width, key),
            "ranks": (max(levels * width, some), "u4"),
            "candidate_keys": (some, key),
            "sums": (max(levels * width, some) // TILE + 1, "u8"),
            "places": (some, "u4"),
            "prints": (some, "u8"),
            "slots": (some, "u4"),
            "table": (slots, "u8"),
            "owners": (slots, "u4"),
            "chosen": (width, "u4"),
            "parents": (levels * width, "u4"),
            "items": (levels * width, "u2"),
            "path": (levels, "u2"),
        }
        self.hold(width, sizes)

    def begin(self, width: int, weight: float, cutoff: int, order: Int64Array) -> None:
        """Write the structures of all levels, the last of which has no children.

        Completions have a ``weight`` and follow an ``order``; see ``Level`` for the others.
        """
        device, program, count = self._device, self._program, self._program.levels
        control = np.zeros(count + 1, CONTROL.dtype)
        control["nodes"][0] = 1
        control["least"] = control["completed"] = control["who"] = _NONE
        self._control = device.put(control.view(np.uint8))
        self._choices = device.put(np.zeros(2 * (count + 1), CHOICE.dtype).view(np.uint8))
        self._histogram = device.full(BINS, 0, np.uint32)
        device.write(self["first_lists"], order.astype(np.uint16))
        salts = self._random.integers(2**63, size=program.state_numbers + self._words)
        self._salts = device.put(salts.astype(np.uint64) << np.uint64(1) | np.uint64(1))
        levels, number = np.zeros(count + 1, LEVEL.dtype), np.arange(count + 1)
        at = self.addresses()
        levels["tables"] = device.address(self._tables)
        levels["salts"] = device.address(self._salts)
        for name in ("states", "free", "lists"):
            first, second = at[f"first_{name}"], at[f"second_{name}"]
            levels[name] = np.where(number % 2, second, first)
            levels[f"next_{name}"] = np.where(number % 2, first, second)
        levels["control"] = device.address(self._control) + number * CONTROL.bytes
        for name in ("places", "prints", "slots", "table", "owners", "chosen", "path"):
            levels[name] = at[name]
        levels["parents"] = at["parents"] + number * 4 * width
        levels["items"] = at["items"] + number * 2 * width
        levels["depth"], levels["cutoff"], levels["weight"] = number, cutoff, weight
        last = number == count - 1
        for name, place in (("children", 0), ("candidates", 1)):
            some = levels[name]
            some["choice"] = device.address(self._choices) + (2 * number + place) * CHOICE.bytes
            some["ranks"] = at["ranks"]
            some["histogram"], some["sums"] = device.address(self._histogram), at["sums"]
            some["least"] = levels["control"] + CONTROL.offset("least")
            some["seed"] = self._random.integers(2**63)
        children, candidates = levels["children"], levels["candidates"]
        children["keys"], candidates["keys"] = at["keys"], at["candidate_keys"]
        candidates["prints"] = at["prints"]
        children["number"] = levels["control"] + CONTROL.offset("nodes")
        children["each"], candidates["each"] = count - number, 1
        candidates["number"] = children["choice"] + CHOICE.offset("kept")
        children["target"] = np.where(last, 1, self._candidates * width)
        candidates["target"] = np.where(last, 1, width)
        self._structures = device.put(levels.view(np.uint8))

    def address(self, level: int, part: str | None = None) -> int:
        """Return where the structure of a level is, or one of its selections."""
        inside = 0 if part is None else LEVEL.offset(part)
        return self._device.address(self._structures) + level * LEVEL.bytes + inside

    def control(self) -> AnyArray:
        """Wait for the device, and return what is known of all levels."""
        return self._device.read(self._control).view(CONTROL.dtype)
