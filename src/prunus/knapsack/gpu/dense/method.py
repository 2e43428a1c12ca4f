"""The dense method on GPUs: the optimum by the recursion over all capacities, and the items.

The items come back from rows that are kept on the way (``one_device.py``).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import DTypeLike

from prunus.hardware.device import Device
from prunus.knapsack.dense.table import ReportCells
from prunus.knapsack.gpu.dense.kernels import CHOSEN, PACKED, KernelCuts, KernelSet, choose_kernels
from prunus.knapsack.gpu.dense.launches import PassRunner
from prunus.knapsack.gpu.dense.one_device import OneDevice
from prunus.knapsack.gpu.dense.passes import LONG_CHAIN, Passes, extent
from prunus.knapsack.gpu.dense.plan import arrange, halves
from prunus.knapsack.gpu.dense.several_devices import DeviceGroup
from prunus.knapsack.gpu.dense.two_ended import TwoEnded
from prunus.knapsack.tuning import DEFAULT, GpuDenseTuning
from prunus.model.arrays import AnyArray, FloatArray, Int64Array


@dataclass(frozen=True, slots=True)
class GpuDense:
    """How to run."""

    devices: tuple[Device, ...]
    """One or several GPUs; several share the capacity range."""
    limit: int
    """No choice is worth more."""
    memory: int
    """Bytes that rows may take on a device."""
    tick: ReportCells | None = None
    """Called between launches with the cells computed; says whether to stop."""
    through_host: bool = False
    """Whether several devices exchange values through the memory of the host."""
    cuts: KernelCuts = CHOSEN
    """How the kernels are cut to the device, where that is not chosen."""
    tuning: GpuDenseTuning = DEFAULT.gpu_dense
    """What passes and exchanges cost, and how often the clock is looked at."""

    def plan(self, w: Int64Array, p: Int64Array, capacity: int) -> Passes | None:
        """Return the passes in which the items are applied; None if no table is needed."""
        w, p = _useful(w, p, capacity)[1:]
        if len(w) == 0 or int(w.sum()) <= capacity:
            return None
        return self._planned(w, p, capacity, capacity)[1]

    def value(self, w: Int64Array, p: Int64Array, capacity: int) -> int:
        """Return the optimum.

        Raises ``StoppedError`` if the tick says so; ``MemoryError`` if the table does not fit.
        """
        w, p = _useful(w, p, capacity)[1:]
        if len(w) == 0 or int(w.sum()) <= capacity:
            return int(p.sum())
        kernel_sets, passes = self._planned(w, p, capacity, capacity)
        both = self._halves(kernel_sets, passes, capacity)
        if both is not None:
            both.forward()
            return both.best()
        runners = self._runners(kernel_sets, passes)
        if len(runners) > 1:
            group = self._group(runners, capacity, capacity)
            group.forward()
            top = group.last[1]
            array = group.gather(-1, top, top, self.devices[0], runners[0].kind)
            return int(self.devices[0].read(array)[0])
        row, array = OneDevice(runners[0], capacity, capacity, self.memory).forward()
        return int(self.devices[0].read(array[row.top - row.low : row.top - row.low + 1])[0])

    def choose(self, w: Int64Array, p: Int64Array, capacity: int) -> Int64Array:
        """Return the items of a best choice; as :meth:`value`."""
        fit, w, p = _useful(w, p, capacity)
        if len(w) == 0 or int(w.sum()) <= capacity:
            return np.arange(len(w)) if fit is None else fit
        kernel_sets, passes = self._planned(w, p, capacity, capacity, items=True)
        both = self._halves(kernel_sets, passes, capacity, self.tuning.kept_rows)
        if both is not None:
            both.forward()
            chosen = both.back()
        else:
            runners = self._runners(kernel_sets, passes)
            if len(runners) > 1:
                group = self._group(runners, capacity, capacity, self.tuning.kept_rows)
                group.forward()
                chosen = group.back(group.last[1])
            else:
                walk = OneDevice(runners[0], capacity, capacity, self.memory)
                walk.phase(0, len(walk), None, capacity)
                chosen = walk.chosen()
        items = passes.expand(chosen)
        return items if fit is None else fit[items]

    def fits(self, w: Int64Array, capacity: int) -> bool:
        """Tell whether the table of all items is likely to fit in memory, with some more rows."""
        cells = min(capacity, int(w.sum())) + 1
        size = 4 if self.limit < 2**31 else 8
        return 4 * size * cells <= self.memory * len(self.devices)

    def profile(self, w: Int64Array, p: Int64Array, capacity: int) -> tuple[AnyArray, None]:
        """Return the optimum of every capacity from 0 to that at which all items fit, or less.

        The items of the last one are not found with it.
        """
        w, p = _useful(w, p, capacity)[1:]
        if len(w) == 0:
            return np.zeros(1, dtype=np.int64), None
        runners = self._runners(*self._planned(w, p, capacity, 0))
        if len(runners) > 1:
            group = self._group(runners, capacity, 0)
            group.forward()
            return group.whole(runners[0].kind), None
        row, array = OneDevice(runners[0], capacity, 0, self.memory).forward()
        return self.devices[0].read(array[: row.top + 1]), None

    def _planned(
        self, w: Int64Array, p: Int64Array, capacity: int, need: int, *, items: bool = False
    ) -> tuple[list[KernelSet], Passes]:
        """Return the kernels of each device, and the passes in which the items are applied."""
        value_bits = 32 if self.limit < 2**31 else 64
        for work_bits in (32, 64):
            kernel_sets = [
                choose_kernels(device, value_bits, work_bits, self.cuts) for device in self.devices
            ]
            limits = kernel_sets[0].limits
            passes = arrange(w, p, capacity, need, limits, items=items, room=self._room)
            if value_bits == work_bits or _differ_little(passes, kernel_sets[0], w, p):
                break
        if all(PACKED in some.configs for some in kernel_sets) and _values_are_small(
            passes, p, self.tuning
        ):
            packed = [some.packed for some in kernel_sets]
            if value_bits == 32 or _differ_little(passes, packed[0], w, p):
                kernel_sets = packed
        return kernel_sets, passes

    def _room(self, count: int, kind: DTypeLike) -> AnyArray:
        """Return memory that devices read while the host goes on: of few sizes, for it is kept."""
        memory: AnyArray = self.devices[0].pinned(1 << (count - 1).bit_length(), kind)
        return memory[:count]

    def _runners(
        self, kernel_sets: list[KernelSet], passes: Passes, which: slice = slice(None)
    ) -> list[PassRunner]:
        """Prepare some of the devices for passes."""
        tick = self.tick if len(kernel_sets) == 1 else None
        return [
            PassRunner(device, config, passes, tick, self.tuning)
            for device, config in zip(self.devices[which], kernel_sets[which], strict=True)
        ]

    def _halves(
        self, kernel_sets: list[KernelSet], passes: Passes, capacity: int, keep: int = 0
    ) -> TwoEnded | None:
        """Prepare two groups for half of the passes each, if that pays and there is memory."""
        middle, odd = divmod(len(self.devices), 2)
        halved = None if odd else halves(passes, capacity)
        if halved is None:
            return None
        parts = slice(middle), slice(middle, None)
        weigh = [int(part.span.sum()) for part in halved]
        capacity = min(capacity, sum(weigh))
        sides = [self._runners(kernel_sets, *half) for half in zip(halved, parts, strict=True)]
        try:
            first, second = (
                self._group(runners, capacity, max(0, capacity - other), keep)
                for runners, other in zip(sides, weigh[::-1], strict=True)
            )
        except MemoryError:
            return None
        direct = not self.through_host and all(
            device.connect(other)
            for device in self.devices for other in self.devices if other is not device
        )  # fmt: skip
        return TwoEnded((first, second), capacity, self.memory, self.tuning, direct=direct)

    def _group(
        self, runners: list[PassRunner], capacity: int, need: int, keep: int = 0
    ) -> DeviceGroup:
        """Return a group that keeps as many rows as memory allows, and at most so many."""
        every = keep > 0 and len(runners) == 1
        # A device by itself exchanges nothing: phases end for the clock and for rows to keep.
        usual = self.tuning.exchange_ps * (1 if len(runners) > 1 else self.tuning.alone_ratio)
        exchange = usual
        while True:
            try:
                return DeviceGroup(
                    runners, capacity, need, through_host=self.through_host, keep=keep,
                    memory=self.memory, exchange=exchange, tick=self.tick, every=every,
                    tuning=self.tuning,
                )  # fmt: skip
            except MemoryError:
                if not every and exchange >= 10:
                    exchange /= 10
                    continue
                if keep < 2 and not every:
                    raise
                keep, every, exchange = keep if every else keep // 2, False, usual


def _values_are_small(passes: Passes, p: Int64Array, tuning: GpuDenseTuning) -> bool:
    """Tell whether two values are likely to fit in a word, and whether it pays to try.

    Between two cells values differ by about what the capacity between them is worth; what items
    are worth beyond that is what has to fit.
    """
    many = passes.kind == LONG_CHAIN
    if (
        not many.any()
        or passes.count[many].mean() < tuning.packed_items
        or int(p.max()) > tuning.packed_lift
    ):
        return False
    return bool(
        (
            (passes.unit[many] < tuning.packed_weight) & (passes.lift[many] <= tuning.packed_lift)
        ).all()
    )


def _differ_little(passes: Passes, config: KernelSet, w: Int64Array, p: Int64Array) -> bool:
    """Tell whether what a thread or block works on differs by less than 2**31 throughout a pass."""
    return bool((_differences(passes, config, w, p) < 2.0**31 * 0.999).all())


def _differences(passes: Passes, config: KernelSet, w: Int64Array, p: Int64Array) -> FloatArray:
    """Return what the values that a thread or block works on differ by in each pass, at most.

    A choice that weighs x less is had by leaving out items that weigh x or a little more, and each
    unit of weight is worth at most the best profit per weight.
    """
    cells = extent(passes, config.places, config.limits)
    upto = np.r_[0.0, np.cumsum(passes.steps["profit"].astype(np.float64))]
    gain = upto[passes.first + passes.count] - upto[passes.first]  # passes are not in their order
    most: FloatArray = float((p / w).max()) * cells + float(p.max()) + gain
    return most


def _useful(
    w: Int64Array, p: Int64Array, capacity: int
) -> tuple[Int64Array | None, Int64Array, Int64Array]:
    """Return which items fit, None if all do, and what those weigh and are worth."""
    if len(w) == 0 or int(w.max()) <= capacity:
        return None, w, p
    fit = np.flatnonzero(w <= capacity)
    return fit, w[fit], p[fit]
