"""Iterated greedy on a GPU in slices: hundreds of chains, of which good ones are followed."""

from __future__ import annotations

import math
from bisect import bisect
from collections.abc import Callable, Sequence
from time import perf_counter

from prunus.flowshop.beam.guides import MANY_MACHINES
from prunus.flowshop.chains.islands import Islands
from prunus.flowshop.chains.on_gpu import GpuChains, begin_compiling, fits_chains
from prunus.flowshop.problem import FlowShop
from prunus.hardware import clock
from prunus.hardware.device import Device
from prunus.model.arrays import Int64Array
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.portfolio.gpu_runs import GpuRuns

_FEWEST_JOBS = 31
"""Smaller shops are proven before chains find anything."""
_FEW_JOBS_A_MACHINE = 4
_SLICE_S, _FIRST_SLICE_S, _SLICE_SHARE = 0.05, 0.02, 1 / 16
"""What a slice is to take: chains end at different times, and wait for the last. The first take
less, and then this part of the time that has passed more."""
_FIRST_COOLING_S = 10.0
"""Without a limit temperatures fall for so many seconds at first."""
_BEAMS_SHARE, _LESS_BEAMS_SHARE, _VERY_FEW_JOBS_A_MACHINE = 0.04, 0.01, 3
"""Of that time, or of a limit, beams have this part before chains begin; with at most so few jobs
on each machine only the second part, since they find less."""
_STAGES = (0.0, 0.03, 0.12, 1.0)
"""Within that time, or a limit, temperatures fall from one of these shares to the next: as long as
they are high, nothing better is found."""


class GpuChainRuns(GpuRuns):
    """Chains of iterated greedy on one GPU; an ``Activity``.

    The incumbent has a schedule to begin with. Temperatures fall until the end of the limit;
    without one, for longer and longer times.
    """

    name = source = "iterated greedy"

    def __init__(
        self,
        problem: FlowShop,
        incumbent: Incumbent,
        device: Device,
        seed: Sequence[int],
        time_left: Callable[[], float] = lambda: math.inf,
        islands: Islands | None = None,
    ) -> None:
        super().__init__(problem.evaluate, incumbent)
        self._problem, self._device = problem, device
        self._islands = islands or Islands()
        self._seed, self._time_left = seed, time_left
        self._chains: GpuChains | None = None
        self._schedules: Int64Array | None = None
        self._iterations = 1
        self._cooling_s, self._passed_s = 0.0, 0.0

    def _run(self, began: float) -> None:
        if self._chains is None:
            best = self._incumbent.best
            assert best is not None
            starts = best.solution if self._schedules is None else self._schedules
            self._chains = GpuChains(
                self._problem, self._device, starts, seed=self._seed, islands=self._islands
            )
        really = perf_counter()  # the clock stands still while others compile
        found = self._chains.run(self._iterations, self._passed)
        took = max(perf_counter() - really, 1e-4)
        self._offer(found)
        self._passed_s += max(clock.seconds() - began, 1e-4)
        slice_s = min(_SLICE_S, _FIRST_SLICE_S + _SLICE_SHARE * self._passed_s)
        wanted = round(self._iterations * min(slice_s, max(0.0, self._time_left())) / took)
        self._iterations = max(1, min(2 * self._iterations, wanted))

    @property
    def _passed(self) -> float:
        """The share of the time in which temperatures fall that has passed."""
        left = self._time_left()
        if math.isinf(left) and self._passed_s >= self._cooling_s:
            self._cooling_s, self._passed_s = max(_FIRST_COOLING_S, 2 * self._cooling_s), 0.0
        whole = self._cooling_s if math.isinf(left) else self._passed_s + max(left, 0.0)
        passed = self._passed_s / whole if whole else 1.0
        stage = min(bisect(_STAGES, passed), len(_STAGES) - 1)
        begun, end = _STAGES[stage - 1 : stage + 1]
        return (passed - begun) / (end - begun)

    def release(self) -> None:
        """Give the GPU's memory back."""
        if self._chains is not None and self.failure is None:
            self._schedules = self._chains.schedules
        self._chains = None

    def interrupt(self) -> None:
        """End a running slice at the next pass of each chain."""
        if self._chains is not None:
            self._chains.stop()


class FirstPart:
    """Tells the time left of the first part of the time, from the first question on.

    In it beams find chains' first schedules, sooner than chains would.
    """

    def __init__(self, problem: FlowShop, time_left: Callable[[], float]) -> None:
        very_few = problem.jobs <= _VERY_FEW_JOBS_A_MACHINE * problem.machines
        self._share = _LESS_BEAMS_SHARE if very_few else _BEAMS_SHARE
        self._time_left = time_left
        self._end: float | None = None

    def __call__(self) -> float:
        now = clock.seconds()
        if self._end is None:
            left = self._time_left()
            self._end = now + self._share * (_FIRST_COOLING_S if math.isinf(left) else left)
        return self._end - now


def chains_find_more(jobs: int, machines: int) -> bool:
    """Return whether chains on a GPU find better schedules than beams on it.

    There are many machines, and few jobs on each.
    """
    return machines >= MANY_MACHINES and jobs <= _FEW_JOBS_A_MACHINE * machines


def chains_on(
    cards: Sequence[Device],
    problem: FlowShop,
    incumbent: Incumbent,
    seed: int,
    time_left: Callable[[], float] = lambda: math.inf,
) -> list[GpuChainRuns]:
    """Make what runs chains on some GPUs; none where they have no room, or nothing to find."""
    jobs, machines = problem.jobs, problem.machines
    if not cards or jobs < _FEWEST_JOBS or not chains_find_more(jobs, machines):
        return []
    if not fits_chains(problem, cards[0], incumbent.cutoff):
        return []
    begin_compiling(problem, cards[0])
    islands = Islands()
    return [
        GpuChainRuns(
            problem, incumbent, card, (abs(seed), int(seed < 0), number), time_left, islands
        )
        for number, card in enumerate(cards)
    ]
