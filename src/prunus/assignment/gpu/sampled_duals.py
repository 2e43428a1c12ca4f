"""Good prices from a sample: the start of switching where rows all want the same few columns.

Where a few columns are the best of most rows, as in geometric instances that are maximised, a
greedy start is poor and prices of 0 bound nothing. A sample of rows and columns is an instance of
the same kind: a coarse auction of the sample gives what its rows are left with, and that prices all
columns, p(j) = max over the sample of a(i, j) - u(i). The bound from these prices is within some
hundredths of a per cent for a sample of a tenth, at a hundredth of the work. Where rows want
different columns, prices of 0 are better, and no sample is taken.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from prunus.assignment.gpu.instance import DeviceInstance
from prunus.assignment.gpu.value_source import ValueSource
from prunus.assignment.instance.facts import InstanceFacts


class SampledDuals:
    """Prices for one instance from a sample of it.

    The instance is square; ``rng`` chooses the sample, and ``left`` gives the seconds that are
    left.
    """

    def __init__(
        self, instance: DeviceInstance, rng: np.random.Generator, left: float = math.inf
    ) -> None:
        self._instance = instance
        self._rng = rng
        self._left = left
        self._asked = 0

    @classmethod
    def of_large_square(
        cls, instance: DeviceInstance, seed: int, left: float = math.inf
    ) -> SampledDuals | None:
        """Return a sample of an instance; None if it has columns to spare, or is too small."""
        source = instance.source
        if source.rows < max(source.columns, instance.tuning.guided_rows):
            return None
        return cls(instance, np.random.default_rng([seed, 3]), left)

    def ask(self, rows: int) -> None:
        """Have the device find which columns some of the first ``rows`` want."""
        instance = self._instance
        self._asked = min(rows, instance.tuning.asked_rows)
        instance.write("row_order", self._sample(self._asked, rows))
        instance.set(row_count=self._asked)
        instance.run("find_best_net_values")
        instance.run("count_distinct_columns")
        self._take_all_rows()

    def contested(self) -> bool:
        """Wait for that, and tell whether they want fewer than half as many columns."""
        return 2 * self._instance.counters()["distinct_columns"] < self._asked

    def price_columns(self, facts: InstanceFacts, limit: int = 2**61) -> None:
        """Set the instance's prices; the sample's auction may take ``limit`` nanoseconds."""
        instance = self._instance
        rows = instance.source.rows
        tuning = instance.tuning
        sizes = (size for limit, size in tuning.hurried_samples if self._left < limit)
        size = next(sizes, tuning.sample_rows)
        size = min(size, (rows + 1) // 2)
        # Of a size, and read in a way, that need no kernels of their own.
        size -= size % 4
        sample = self._sample(size, rows)
        instance.write("row_order", sample)
        instance.set(row_count=size)
        source = self._source(sample)
        small = DeviceInstance(instance.device, source, tuning=tuning, packed=instance.pack)
        if small.source.matrix is not None:
            instance.set(list_values=instance.device.address(small.source.matrix))
            instance.run("gather_sample")
            instance.set(list_values=instance.address("list_values"))
        small.set(budget_ns=limit)
        small.run("start_deadline")
        small.run("fill_lists")
        least = float(source.price == np.int64)
        small.set(stop_count=int(tuning.sample_unassigned * size))
        for step in tuning.sample_epsilons:
            small.set(epsilon=max(step * facts.spread, least))
            small.run("begin_auction_phase")
            small.run("auction")
        small.run("find_best_net_values")
        instance.run("reset_prices")
        device, count = instance.device, size * small.source.price.itemsize
        device.copy(instance.address("row_buffer"), small.address("best_value"), count, device)
        instance.run("price_columns_from_sample")
        if facts.integral:
            instance.run("round_prices")
        self._take_all_rows()

    def _take_all_rows(self) -> None:
        self._instance.run("order_all_rows")
        self._instance.set(row_count=self._instance.source.rows)

    def _sample(self, size: int, rows: int) -> NDArray[np.int32]:
        # One of every so many: they are different without all rows having to be shuffled.
        ends = np.arange(size + 1) * rows // size
        first, last = ends[:-1], ends[1:] - 1
        chosen = first + (self._rng.random(size) * (last - first + 1)).astype(np.int64)
        return np.minimum(chosen, last).astype(np.int32)

    def _source(self, sample: NDArray[np.int32]) -> ValueSource:
        source, device = self._instance.source, self._instance.device
        size = len(sample)
        if source.matrix is not None:
            matrix = device.empty(size * size, source.kind)
            return source._replace(
                rows=size, columns=size, matrix=matrix, stride=size, parts=(), on_host=None
            )
        left, right = (device.rows(side, sample) for side in (source.left, source.right))
        return source._replace(rows=size, columns=size, left=left, right=right, parts=())
