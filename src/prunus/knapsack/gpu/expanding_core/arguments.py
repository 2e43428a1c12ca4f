"""What a batch of kernels is told, in one transfer, and what comes back in another."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from prunus.hardware.cuda.structs import Field, Structure
from prunus.hardware.device import Device, DeviceArray
from prunus.model.arrays import AnyArray, Int64Array

BATCH = 48
"""Steps in a batch, at most."""

Value = int | float | DeviceArray
"""Of an argument; of an array its address is what kernels get."""

BEST = Structure(
    "Best",
    Field("value", "i64", "of the best state met"),
    Field("weight", "i64"),
    Field("word", "u64"),
    Field("step", "i64", "after which it was met"),
    Field("extra", "i64", "1 + an item outside the core that it adds, or -1 - one that it drops"),
    Field("most", "i64", "by how many items, at most, states differ from the break solution"),
)

SEARCH = Structure(
    "Search",
    Field("weights", "const i64*", "the list: weights and profits both ascend"),
    Field("profits", "const i64*"),
    Field("words", "const u64*"),
    Field("next_weights", "i64*"),
    Field("next_profits", "i64*"),
    Field("next_words", "u64*"),
    Field("counts_in", "const i64*", "how long the list is; negative once a step was left out"),
    Field("counts_out", "i64*"),
    Field("status", "u64*", "of the tiles: what they keep, for those after them"),
    Field("ticket", "u32*", "for `probe`: whether the best choice is noted"),
    Field("best", "Best*"),
    Field("cw", "const i64*", "sums over the items before: weights"),
    Field("cq", "const double*", "and profits less the multiplier"),
    Field("e", "const double*", "efficiencies"),
    Field("w", "const i64*", "the items outside the core, for `probe`"),
    Field("p", "const i64*"),
    Field("items", "i64", "how many there are"),
    Field("capacity", "i64", "states that fit in the next list"),
    Field("room", "i64", "the weight at which the knapsack is full"),
    Field("left", "i64", "items up to it are in the break solution"),
    Field("right", "i64", "items from it on are not"),
    Field("dw", "i64", "what the step's item adds"),
    Field("dp", "i64"),
    Field("db", "u64"),
    Field("step", "i64", "its number, from 1"),
    Field("lam", "double", "the multiplier"),
    Field("slack", "double", "what rounding may take"),
    Field("side", "double", "the multiplier times its side"),
    Field("bound", "double*", "for `list_bound`"),
    Field("mask", "u64", "for `keep`: what remains of a word"),
    Field("barrier", "u32*", "for `expand`: how often blocks have ended steps"),
    Field("steps", "i64", "and how many there are"),
)

STRUCTURES = (BEST, SEARCH)

_BLOCK = np.dtype(
    [
        ("best", BEST.dtype),
        ("counts", np.int64, BATCH + 1),
        ("flags", np.uint32, 2),
        ("steps", SEARCH.dtype, BATCH),
    ]
)
_OFFSETS = {name: int(field[1]) for name, field in dict(_BLOCK.fields or {}).items()}


class Arguments:
    """The arguments in a GPU's memory."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._block = np.zeros(1, dtype=_BLOCK)
        self._there = device.put(self._block.view(np.uint8))
        base = device.address(self._there)
        self._fields = {name: base + offset for name, offset in _OFFSETS.items()}

    def load(
        self, common: Mapping[str, Value], best: AnyArray, count: int, **steps: AnyArray
    ) -> None:
        """Send steps.

        ``common`` is the same for all of them, ``best``, (1,), the best state, ``count`` how long
        the list is before the first; ``steps`` have a value a step.
        """
        block = self._block[0]
        block["best"] = best[0]
        block["counts"] = [count, *[-1] * BATCH]
        block["flags"] = 0
        made = max([len(values) for values in steps.values()], default=1)
        rows = block["steps"][:made]
        for name, value in common.items():
            rows[name] = self.of(value)
        for name, values in steps.items():
            rows[name] = values
        k = np.arange(made, dtype=np.uint64)
        rows["counts_in"] = self._fields["counts"] + 8 * k
        rows["counts_out"] = self._fields["counts"] + 8 * (k + 1)
        rows["best"] = self._fields["best"]
        rows["barrier"], rows["ticket"] = self._fields["flags"], self._fields["flags"] + 4
        rows["steps"] = made
        self._device.write(self._there, self._block.view(np.uint8))

    def of(self, value: Value) -> int | float:
        """Return where an array is, and a number as it is."""
        return value if isinstance(value, int | float) else self._device.address(value)

    def address(self, step: int) -> int:
        """Return where a step's arguments are."""
        return self._fields["steps"] + step * SEARCH.bytes

    def read(self) -> tuple[AnyArray, Int64Array]:
        """Return the best state, and how long the list was before and after each step."""
        found = self._device.read(self._there[: _OFFSETS["flags"]])
        end = _OFFSETS["counts"]
        return found[:end].view(BEST.dtype), found[end:].view(np.int64)
