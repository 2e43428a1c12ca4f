"""The expanding core on a GPU: it takes over where the lists of states have grown long.

The host says which items come next and looks every few steps; the GPU merges, drops and counts
without it. Lists, and the copies that remember decisions, lie in the GPU's memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from prunus.hardware.device import Device, DeviceArray
from prunus.knapsack.expanding_core.core import UNCOUNTED, ExpandingCore
from prunus.knapsack.expanding_core.expand import COUNT_LIMIT, PROGRESS, choose_items
from prunus.knapsack.expanding_core.state import ListCopy, StateHistory, word_of_copy
from prunus.knapsack.expanding_core.states import COUNT_ONE, DECISION_BITS, STATE_BYTES
from prunus.knapsack.gpu.expanding_core.arguments import BATCH, BEST, Arguments, Value
from prunus.knapsack.gpu.expanding_core.lists import Copies, empty_list
from prunus.knapsack.tuning import DEFAULT, GpuCoreTuning
from prunus.model.arrays import AnyArray, Int64Array
from prunus.runtime.stop_token import MEMORY

FILE = "knapsack/gpu/expanding_core/core.cu"

_NO_BOUND = -1e300
"""What kernels note as the bound of no state."""


def constants(tuning: GpuCoreTuning = DEFAULT.gpu_core) -> dict[str, int]:
    """Return what specialises the kernels."""
    return {"THREADS": tuning.threads, "ITEMS": tuning.items, "BLOCKS": tuning.blocks}


def shared_bytes(tuning: GpuCoreTuning) -> int:
    """Return the shared memory of a block."""
    tile = tuning.threads * tuning.items
    return (tile + 4) * 16 + tile * 2 + 256


class GpuExpandingCore(ExpandingCore):
    """A search that goes on with a core's states on a GPU.

    Raises ``DeviceError`` if the GPU fails. The core is not to be used any more.
    """

    def __init__(
        self, core: ExpandingCore, device: Device, tuning: GpuCoreTuning = DEFAULT.gpu_core
    ) -> None:
        self.__dict__.update(core.__dict__)
        self._device, self._tuning, self._threads = device, tuning, tuning.threads
        self._shared = shared_bytes(tuning)
        module = device.compile(FILE, constants(tuning))
        names = ("expand", "probe", "keep", "list_bound")
        self._kernels = {
            name: device.prepare(module, name, self._threads, self._shared) for name in names
        }
        self._tile = self._threads * tuning.items
        constant = ("cw", "cq", "e", "w", "p")
        self._constant = {name: device.put(getattr(self._items, name)) for name in constant}
        count = self.count
        self._here = [device.put(values[:count]) for values in self._list]
        self._there = empty_list(device, 4 * count)
        self._memory_of_copies = Copies(device, tuning.slab_states)
        self._lists = []
        # Known of all states: by so many items they differ, after so many in the core.
        self._differ = 0, 0
        self._status = device.full(self._tiles(), 0, np.uint64)
        self._arguments = Arguments(device)

    def advance(self, budget: int) -> bool:
        now = self._now
        until = self.states + budget
        while not self.done and self.exhausted is None:
            if now["count"] == 0 or now["best"] >= self._goal.target:
                self.done = True
            elif 2 * now["count"] > len(self._there[0]):
                self._grow()
            elif now["step"] - now["emptied_at"] >= DECISION_BITS:
                self._copy()
            elif self.states >= until:
                return False
            elif 0 <= self._countable() <= now["items"]:
                # After the next step states might differ by more items than can be counted.
                if now["step"] > now["emptied_at"]:
                    self._copy()
                else:
                    self.exhausted = UNCOUNTED
            elif now["count"] >= now["probe_length"]:
                now["probe_length"] = 8 * now["count"]
                self._probe()
            else:
                self._steps()
        return True

    def bound(self) -> int:
        if self.done:
            return self.value
        blocks = max(1, self._tuning.bound_threads // self._threads)
        bounds = self._device.put(np.full(blocks * self._threads, _NO_BOUND))
        self._arguments.load(self._common() | {"bound": bounds}, self._best(), self.count)
        self._launch("list_bound", 0, blocks)
        found = float(self._device.read(bounds).max())
        if found <= _NO_BOUND / 2:
            return self.value
        return self._bound_from(found + self._goal.multiplier * self._goal.side)

    def _countable(self) -> int:
        """Return how many items the core may stand for before counts are looked at; -1: any."""
        most, items = self._differ
        return COUNT_LIMIT - most + items if self._goal.multiplier else -1

    def _tiles(self) -> int:
        return len(self._there[0]) // self._tile + 2

    def _best(self) -> AnyArray:
        """Return the best state as kernels read it."""
        now, best = self._now, np.zeros(1, BEST.dtype)
        best["value"] = now["best"]
        for name in ("weight", "word", "step", "extra"):
            best[name] = now["best_" + name]
        return best

    def _common(self) -> dict[str, Value]:
        """Return what is the same for all steps of a batch."""
        now, goal = self._now, self._goal
        weights, profits, words = self._here
        return {
            **self._constant,
            "weights": weights, "profits": profits, "words": words, "status": self._status,
            "items": len(self._index), "room": goal.room, "left": int(now["left"]),
            "right": int(now["right"]), "step": int(now["step"]), "lam": goal.multiplier,
            "slack": goal.slack, "side": goal.multiplier * goal.side,
        }  # fmt: skip

    def _launch(self, name: str, step: int, blocks: int) -> None:
        kernel, resident = self._kernels[name]
        most = max(1, resident) * self._device.multiprocessors
        address = self._arguments.address(step)
        self._device.launch(kernel, min(blocks, most), self._threads, address, self._shared)

    def _steps(self) -> None:
        """Take as many steps as the host needs not look."""
        now, count = self._now, self.count
        left = DECISION_BITS - int(now["step"] - now["emptied_at"])
        most = min(BATCH, left, 1 + self._tuning.batch_states // count)
        first, lowest = self.size, float(now["best"] + 1) - self._goal.slack
        before, after = self._progress.copy()[0], np.zeros(most, PROGRESS)
        taken = choose_items(
            self._progress, self._order, self._items, lowest, most, self._countable(), after
        )
        if not taken:
            now["count"] = 0
            return
        self._load(first, self._order[first : first + taken], after[:taken], count)
        self._launch("expand", 0, 4 * (2 * count // self._tile + 2))
        best, counts = self._arguments.read()
        done = int((counts[1 : taken + 1] >= 0).sum())
        made = counts[1 : done + 1]
        self._progress[0] = after[done - 1]
        now["count"] = made[-1]
        now["states"] = before["states"] + made.sum()
        now["peak"] = max(before["peak"], made.max())
        self._note(best)
        if done % 2:
            self._here, self._there = self._there, self._here

    def _load(self, first: int, items: Int64Array, after: AnyArray, count: int) -> None:
        """Send the steps from one on."""
        all_items = self._items
        add = np.where(items >= all_items.middle, 1, -1)
        bits = np.int64(1) << (first - int(self._now["emptied_at"]) + np.arange(len(items)))
        turn = np.arange(len(items)) % 2
        names = ("weights", "profits", "words")
        both = (self._here, self._there)
        lists = np.array([[self._arguments.of(values) for values in part] for part in both])
        ends = {name: lists[turn, k] for k, name in enumerate(names)}
        ends |= {f"next_{name}": lists[1 - turn, k] for k, name in enumerate(names)}
        capacity = np.array([len(self._there[0]), len(self._here[0])])[turn]
        self._arguments.load(
            self._common(), self._best(), count, **ends, capacity=capacity,
            dw=add * all_items.w[items], dp=add * all_items.p[items],
            db=(bits + add * COUNT_ONE * all_items.counts[items]).view(np.uint64),
            step=first + 1 + np.arange(len(items)), left=after["left"], right=after["right"],
        )  # fmt: skip

    def _probe(self) -> None:
        """Try every state together with one item outside the core."""
        blocks = len(self._index) // self._threads + 1
        now, before = self._now, int(self._now["best"])
        for phase in (0, 1):
            self._arguments.load(self._common() | {"dp": phase}, self._best(), self.count)
            self._launch("probe", 0, blocks)
            best, _ = self._arguments.read()
            now["best"] = best["value"][0]
            if now["best"] == before:
                return
        now["best"] = before
        self._note(best)

    def _note(self, best: AnyArray) -> None:
        """Take the best state that kernels have met, if it is better."""
        now = self._now
        if best["value"][0] > now["best"]:
            now["best"], now["best_emptied_at"] = best["value"][0], now["emptied_at"]
            for name in ("weight", "word", "step", "extra"):
                now["best_" + name] = best[name][0]

    def _grow(self) -> None:
        count = self.count
        self._there = []
        free = self._device.free_memory()
        wanted = next((m for m in (4, 2) if STATE_BYTES * (m * count + 64) < 0.9 * free), None)
        if wanted is None:
            self.exhausted = MEMORY
            self._there = empty_list(self._device, 1)
            return
        self._there = empty_list(self._device, wanted * count + 64)
        if self._tiles() > len(self._status):
            self._status = self._device.full(self._tiles(), 0, np.uint64)

    def _copy(self) -> None:
        """Keep what the words remember."""
        now, count = self._now, self.count
        room = self._memory_of_copies.take(count)
        if room is None:
            self.exhausted = MEMORY
            return
        weights, words = room
        mask = (1 << 64) - (1 << DECISION_BITS)
        step = self._common() | {"next_weights": weights, "next_words": words, "mask": mask}
        self._arguments.load(step, self._best(), count)
        self._launch("keep", 0, count // self._threads + 1)
        if self._goal.multiplier:
            best, _ = self._arguments.read()
            self._differ = int(best["most"][0]), int(now["items"])
        self._copies.append(ListCopy(self.size, weights, words))
        now["emptied_at"] = now["step"]

    def _deviations(self) -> Iterator[int]:
        now = self._now
        history = StateHistory(self._order, int(now["best_emptied_at"]), self._copies)
        weight, word = int(now["best_weight"]), int(now["best_word"])
        last = int(now["best_step"])
        return history.deviations(self._items, weight, word, last, self._word_of)

    def _word_of(self, copy: ListCopy, weight: int) -> int:
        """Return the word of the state of a weight in a copy, here or on the GPU."""
        weights, words = copy.weights, copy.words
        if isinstance(weights, np.ndarray):
            return word_of_copy(copy, weight)
        low, high = 0, len(weights) - 1
        while low < high:
            middle = (low + high) // 2
            if self._value_at(weights, middle) < weight:
                low = middle + 1
            else:
                high = middle
        return self._value_at(words, low)

    def _value_at(self, array: DeviceArray | AnyArray, place: int) -> int:
        some: Any = array[place : place + 1]
        return int(self._device.read(some)[0])
