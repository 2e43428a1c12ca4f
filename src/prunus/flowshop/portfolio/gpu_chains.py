"""Iterated greedy on a GPU in slices: hundreds of chains, of which the worst follow the best."""

from __future__ import annotations

from collections.abc import Sequence

from prunus.flowshop.chains.on_gpu import GpuChains, begin_compiling, fits_chains
from prunus.flowshop.portfolio.greedy import greedy_finds_more
from prunus.flowshop.problem import FlowShop
from prunus.hardware import clock
from prunus.hardware.device import Device
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.portfolio.gpu_runs import GpuRuns

_FEWEST_JOBS = 31
"""Smaller shops are proven before chains find anything."""
_SLICE_S = 0.1
"""What a slice is to take: chains end at different times, and wait for the last."""


class GpuChainRuns(GpuRuns):
    """Chains of iterated greedy on one GPU; an ``Activity``.

    The incumbent has a schedule to begin with. When others have found a better one, the worst
    chains go on from that.
    """

    name = source = "iterated greedy"

    def __init__(
        self, problem: FlowShop, incumbent: Incumbent, device: Device, seed: Sequence[int]
    ) -> None:
        super().__init__(problem.evaluate, incumbent)
        self._problem, self._device, self._seed = problem, device, seed
        self._chains: GpuChains | None = None
        self._iterations = 1
        self._seen = 0

    def _run(self, began: float) -> None:
        best = self._incumbent.best
        assert best is not None
        if self._chains is None:
            self._chains = GpuChains(self._problem, self._device, best.solution, seed=self._seed)
        elif best.objective < self._seen:
            self._chains.follow(best.solution)
        makespan = self._offer(self._chains.run(self._iterations))
        self._seen = min(makespan, int(best.objective))
        took = max(clock.seconds() - began, 1e-4)
        wanted = round(self._iterations * _SLICE_S / took)
        self._iterations = max(1, min(2 * self._iterations, wanted))

    def release(self) -> None:
        """Give the GPU's memory back."""
        self._chains = None

    def interrupt(self) -> None:
        """End a running slice at the next pass of each chain."""
        if self._chains is not None:
            self._chains.stop()


def chains_on(
    cards: Sequence[Device], problem: FlowShop, incumbent: Incumbent, seed: int
) -> list[GpuChainRuns]:
    """Make what runs chains on some GPUs; none where they have no room, or nothing to find."""
    jobs, machines = problem.jobs, problem.machines
    if not cards or jobs < _FEWEST_JOBS or not greedy_finds_more(jobs, machines):
        return []
    if not fits_chains(problem, cards[0], incumbent.cutoff):
        return []
    begin_compiling(problem, cards[0])
    return [
        GpuChainRuns(problem, incumbent, card, (abs(seed), int(seed < 0), number))
        for number, card in enumerate(cards)
    ]
