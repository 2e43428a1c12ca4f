"""What a batch of kernels is told, in one transfer, and what comes back in another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.device import Device

__all__ = ["BATCH", "Arguments"]

BATCH = 48
"""Steps in a batch, at most."""

_POINTERS = (
    "weights", "profits", "words", "next_weights", "next_profits", "next_words", "counts_in",
    "counts_out", "status", "ticket", "best", "cw", "cq", "e", "w", "p",
)  # fmt: skip
_STEP = np.dtype(
    [
        *((name, np.uint64) for name in _POINTERS),
        *((name, np.int64) for name in ("items", "capacity", "room", "left", "right", "dw", "dp")),
        ("db", np.uint64),
        ("step", np.int64),
        *((name, np.float64) for name in ("lam", "slack", "side")),
        ("bound", np.uint64),
        ("mask", np.uint64),
        ("barrier", np.uint64),
        ("steps", np.int64),
    ]
)
_BLOCK = np.dtype(
    [
        ("best", np.uint64, 6),
        ("counts", np.int64, BATCH + 1),
        ("flags", np.uint32, 2),
        ("steps", _STEP, BATCH),
    ]
)
_OFFSETS = {name: int(field[1]) for name, field in dict(_BLOCK.fields or {}).items()}


class Arguments:
    """The arguments in a card's memory.

    Parameters
    ----------
    device
        The card.
    """

    def __init__(self, device: Device) -> None:
        self._device = device
        self._block = np.zeros(1, dtype=_BLOCK)
        self._there = device.put(self._block.view(np.uint8))
        base = device.address(self._there)
        self._fields = {name: base + offset for name, offset in _OFFSETS.items()}

    def load(
        self, common: Mapping[str, Any], best: Sequence[int], count: int, **steps: NDArray[Any]
    ) -> None:
        """Send steps.

        Parameters
        ----------
        common
            What is the same for all.
        best
            The best state.
        count
            How long the list is before the first step.
        **steps
            What is not the same: a value a step.
        """
        block = self._block[0]
        block["best"] = [value % (1 << 64) for value in best]
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

    def of(self, value: Any) -> Any:
        """Return where an array is, and anything else as it is."""
        return self._device.address(value) if hasattr(value, "dtype") else value

    def address(self, step: int) -> int:
        """Return where a step's arguments are."""
        return self._fields["steps"] + step * _STEP.itemsize

    def read(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the best state, and how long the list was before and after each step."""
        found = self._device.read(self._there[: _OFFSETS["flags"]]).view(np.int64)
        return found[:6], found[6:]
