"""The expanding core on a GPU: it takes over where the lists of states have grown long.

The host says which items come next and looks every few steps; the card merges, drops and counts
without it. Lists, and the copies that remember decisions, lie in the card's memory.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.hardware.device import Device
from prunus.knapsack.expanding_core.core import UNCOUNTED, ExpandingCore
from prunus.knapsack.expanding_core.expand import COUNT_LIMIT, Field, take
from prunus.knapsack.expanding_core.merge import BITS, COUNT_ONE
from prunus.knapsack.gpu.expanding_core.arguments import BATCH, Arguments
from prunus.knapsack.gpu.expanding_core.lists import Copies, empty_list

__all__ = ["CONSTANTS", "FILE", "LONG", "GpuExpandingCore", "shared_bytes"]

FILE = "knapsack/gpu/expanding_core/core.cu"
CONSTANTS = {"THREADS": 256, "ITEMS": 10, "BLOCKS": 4}

LONG = 100_000
"""States from which a list is worth taking to a card."""

_WORK = 400_000_000  # states of all steps between two looks
_BOUND_THREADS = 1 << 16

Array = NDArray[np.int64]


def shared_bytes(constants: dict[str, int]) -> int:
    """Return the shared memory of a block."""
    tile = constants["THREADS"] * constants["ITEMS"]
    return (tile + 4) * 16 + tile * 2 + 256


class GpuExpandingCore(ExpandingCore):
    """A search that goes on with a core's states on a card.

    Parameters
    ----------
    core
        Not to be used any more.
    device
        The card.
    constants
        Of the kernels.

    Raises
    ------
    DeviceError
        If the card fails.
    """

    def __init__(
        self, core: ExpandingCore, device: Device, constants: dict[str, int] | None = None
    ) -> None:
        self.__dict__.update(core.__dict__)
        constants = constants or CONSTANTS
        self._device, self._threads = device, constants["THREADS"]
        self._shared = shared_bytes(constants)
        module = device.compile(FILE, constants)
        names = ("expand", "probe", "keep", "list_bound")
        self._kernels = {
            name: device.prepare(module, name, self._threads, self._shared) for name in names
        }
        self._tile = self._threads * constants["ITEMS"]
        put = device.put
        self._constant = {
            "cw": put(self._cw), "cq": put(self._cq), "e": put(self._e), "w": put(self._w),
            "p": put(self._p),
        }  # fmt: skip
        f = self._f
        count, lists = int(f[Field.COUNT]), self._lists[int(f[Field.STEP]) % 2]
        self._now = [put(values[:count]) for values in lists]
        self._then = empty_list(device, 4 * count)
        self._memory_of_copies = Copies(device)
        self._lists = []
        self._differ = 0, 0  # known of all states: by so many items, after so many in the core
        self._status = device.full(self._tiles(), 0, np.uint64)
        self._arguments = Arguments(device)

    def advance(self, budget: int) -> bool:
        """Expand the core; return whether it is done or can go no further."""
        f = self._f
        until = self.states + budget
        while not self.done and self.exhausted is None:
            if f[Field.COUNT] == 0 or f[Field.BEST] >= self._target:
                self.done = True
            elif 2 * f[Field.COUNT] > len(self._then[0]):
                self._grow()
            elif f[Field.STEP] - f[Field.BASE] >= BITS:
                self._copy()
            elif self.states >= until:
                return False
            elif self._uncounted():
                if f[Field.STEP] > f[Field.BASE]:
                    self._copy()
                else:
                    self.exhausted = UNCOUNTED
            elif f[Field.COUNT] >= f[Field.PROBE]:
                f[Field.PROBE] = 8 * f[Field.COUNT]
                self._probe()
            else:
                self._steps()
        return True

    def bound(self) -> int:
        """Return a value that no choice exceeds."""
        if self.done:
            return self.value
        blocks = max(1, _BOUND_THREADS // self._threads)
        bounds = self._device.put(np.full(blocks * self._threads, -1e300))
        self._arguments.load(self._common() | {"bound": bounds}, self._best(), self.count)
        self._launch("list_bound", 0, blocks)
        found = float(self._device.read(bounds).max()) + self._r.multiplier * self._side
        if found < -1e200:
            return self.value
        return int(
            max(self.value, min(self._limit, math.floor(found + self._slack) + self._r.profit))
        )

    def _uncounted(self) -> bool:
        """Tell whether the next step may make states differ by more items than can be counted."""
        return 0 <= self._countable() <= int(self._f[Field.ITEMS])

    def _countable(self) -> int:
        """Return how many items the core may stand for before counts are looked at; -1: any."""
        most, items = self._differ
        return COUNT_LIMIT - most + items if self._r.multiplier else -1

    def _tiles(self) -> int:
        return len(self._then[0]) // self._tile + 2

    def _best(self) -> tuple[int, ...]:
        f = self._f
        return (
            int(f[Field.BEST]), int(f[Field.BEST_WEIGHT]), int(self._word[0]),
            int(f[Field.BEST_STEP]), int(f[Field.BEST_EXTRA]), 0,
        )  # fmt: skip

    def _common(self) -> dict[str, Any]:
        f, r = self._f, self._r
        return {
            **self._constant,
            "weights": self._now[0], "profits": self._now[1], "words": self._now[2],
            "status": self._status, "items": self.items, "room": int(r.room),
            "left": int(f[Field.LEFT]), "right": int(f[Field.RIGHT]), "step": int(f[Field.STEP]),
            "lam": float(r.multiplier), "slack": float(self._slack),
            "side": float(r.multiplier * self._side),
        }  # fmt: skip

    def _launch(self, name: str, step: int, blocks: int) -> None:
        kernel, resident = self._kernels[name]
        most = max(1, resident) * self._device.multiprocessors
        address = self._arguments.address(step)
        self._device.launch(kernel, min(blocks, most), self._threads, address, self._shared)

    def _steps(self) -> None:
        """Take as many steps as the host needs not look."""
        f, count = self._f, self.count
        most = min(BATCH, BITS - int(f[Field.STEP] - f[Field.BASE]), 1 + _WORK // count)
        first = int(f[Field.STEP])
        after = np.empty((most, len(f)), dtype=np.int64)
        taken = take(
            f, self._order, self._counts, self._forced, float(f[Field.BEST] + 1) - self._slack,
            most, self._countable(), after,
        )  # fmt: skip
        if not taken:
            f[Field.COUNT] = 0
            return
        self._load(first, self._order[first : first + taken], after[:taken], count)
        self._launch("expand", 0, 4 * (2 * count // self._tile + 2))
        best, counts = self._arguments.read()
        done = int((counts[1 : taken + 1] >= 0).sum())
        made = counts[1 : done + 1]
        states, peak = self.states, self.peak
        known = f.copy()
        f[:] = after[done - 1]
        for field in (Field.BEST, Field.BEST_WEIGHT, Field.BEST_BASE, Field.BEST_STEP,
                      Field.BEST_EXTRA, Field.PROBE):  # fmt: skip
            f[field] = known[field]
        f[Field.COUNT], f[Field.STATES] = made[-1], states + int(made.sum())
        f[Field.PEAK] = max(peak, int(made.max()))
        self._note(best)
        if done % 2:
            self._now, self._then = self._then, self._now

    def _load(self, first: int, items: Array, after: Array, count: int) -> None:
        """Send the steps from one on."""
        add = np.where(items >= self._middle, 1, -1)
        bits = np.int64(1) << (first - int(self._f[Field.BASE]) + np.arange(len(items)))
        turn = np.arange(len(items)) % 2
        names = ("weights", "profits", "words")
        both = (self._now, self._then)
        lists = np.array([[self._arguments.of(values) for values in part] for part in both])
        ends = {name: lists[turn, k] for k, name in enumerate(names)}
        ends |= {f"next_{name}": lists[1 - turn, k] for k, name in enumerate(names)}
        capacity = np.array([len(self._then[0]), len(self._now[0])])[turn]
        self._arguments.load(
            self._common(), self._best(), count, **ends, capacity=capacity,
            dw=add * self._w[items], dp=add * self._p[items],
            db=(bits + add * COUNT_ONE * self._counts[items]).view(np.uint64),
            step=first + 1 + np.arange(len(items)),
            left=after[:, Field.LEFT], right=after[:, Field.RIGHT],
        )  # fmt: skip

    def _probe(self) -> None:
        """Try every state together with one item outside the core."""
        blocks = self.items // self._threads + 1
        f, before = self._f, int(self._f[Field.BEST])
        for phase in (0, 1):
            self._arguments.load(self._common() | {"dp": phase}, self._best(), self.count)
            self._launch("probe", 0, blocks)
            best, _ = self._arguments.read()
            f[Field.BEST] = best[0]
            if best[0] == before:
                return
        f[Field.BEST] = before
        self._note(best)

    def _note(self, best: Any) -> None:
        f = self._f
        if best[0] > f[Field.BEST]:
            f[Field.BEST], f[Field.BEST_WEIGHT] = best[0], best[1]
            f[Field.BEST_STEP], f[Field.BEST_EXTRA] = best[3], best[4]
            f[Field.BEST_BASE] = f[Field.BASE]
            self._word[0] = np.uint64(int(best[2]) % (1 << 64))

    def _grow(self) -> None:
        count = self.count
        self._then = []
        free = self._device.free_memory()
        wanted = next((m for m in (4, 2) if 24 * (m * count + 64) < 0.9 * free), None)
        if wanted is None:
            self.exhausted = "memory"
            self._then = empty_list(self._device, 1)
            return
        self._then = empty_list(self._device, wanted * count + 64)
        if self._tiles() > len(self._status):
            self._status = self._device.full(self._tiles(), 0, np.uint64)

    def _copy(self) -> None:
        """Keep what the words remember."""
        f, count = self._f, self.count
        room = self._memory_of_copies.take(count)
        if room is None:
            self.exhausted = "memory"
            return
        weights, words = room
        mask = (1 << 64) - (1 << BITS)
        step = self._common() | {"next_weights": weights, "next_words": words, "mask": mask}
        self._arguments.load(step, self._best(), count)
        self._launch("keep", 0, count // self._threads + 1)
        if self._r.multiplier:
            best, _ = self._arguments.read()
            self._differ = int(best[5]), int(f[Field.ITEMS])
        self._copies.append((int(f[Field.STEP]), weights, words))
        f[Field.BASE] = f[Field.STEP]

    def _word_of(self, weights: Any, words: Any, weight: int) -> int:
        """Return the word of the state of a weight."""
        if isinstance(weights, np.ndarray):
            return super()._word_of(weights, words, weight)
        low, high = 0, len(weights) - 1
        while low < high:
            middle = (low + high) // 2
            if int(self._device.read(weights[middle : middle + 1])[0]) < weight:
                low = middle + 1
            else:
                high = middle
        return int(self._device.read(words[low : low + 1])[0])
