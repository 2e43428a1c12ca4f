"""How long a work unit should take."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from prunus.treesearch.distributed.tuning import DEFAULT_TUNING, DistributedTuning


class UnitDuration:
    """Chooses the length of work units from what they cost and whether workers starve.

    Lately a unit has cost ``cost_s`` seconds beside those it searches, in ``here_s`` of which the
    coordinator worked.
    """

    def __init__(
        self,
        tuning: DistributedTuning = DEFAULT_TUNING,
        now: Callable[[], float] = perf_counter,
    ) -> None:
        self._tuning, self._now = tuning, now
        self._began = now()
        self.cost_s = tuning.latency_s
        self.here_s = 0.0

    @property
    def least_s(self) -> float:
        """Seconds for which a unit is not called back."""
        return max(self._tuning.shortest_unit_s, 2 * self.cost_s)

    def seconds(
        self, time_left: float, *, starving: bool, online: bool = False, workers: int = 1
    ) -> float:
        """Return how long the next units should take.

        ``starving``: there are not enough for all workers, so they shall come back soon, to be
        divided. ``online``: workers can be called back, so units need not be short lest others run
        dry. All ``workers`` keep the coordinator busy.
        """
        tuning = self._tuning
        elapsed = self._now() - self._began
        usual = tuning.usual_cost_ratio * self.cost_s
        if online:
            busy = workers * (self.here_s + tuning.executor_s) / tuning.coordinator_share
            wish, longest = max(usual, busy), tuning.longest_online_unit_s
        else:
            wish = 0.0 if starving else min(usual, tuning.offline_elapsed_ratio * elapsed)
            longest = tuning.longest_unit_s
        wish = max(wish, tuning.least_cost_ratio * self.cost_s, tuning.shortest_unit_s)
        wish = min(wish, longest)
        return min(wish, max(time_left - self.cost_s, tuning.shortest_unit_s / 10))

    def note_cost(self, seconds: float, here: float = 0.0) -> None:
        """Note the seconds that a unit cost beside those it searched, there and here, and here."""
        self.cost_s += 0.2 * (seconds + self._tuning.latency_s - self.cost_s)
        self.here_s += 0.05 * (here - self.here_s)
