"""Iterated greedy on a GPU in slices: hundreds of chains, of which the worst follow the best."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from prunus.errors import DeviceError
from prunus.flowshop.chains.on_gpu import GpuChains, begin_compiling, fits_chains
from prunus.flowshop.portfolio.gpu_beams import share_of
from prunus.flowshop.problem import FlowShop
from prunus.hardware import clock
from prunus.hardware.device import Device
from prunus.runtime.incumbent import Incumbent

_log = logging.getLogger(__name__)

_FEWEST_JOBS, _FEWEST_MACHINES = 31, 30
"""Smaller shops are proven before chains find anything; with 20 machines beams find more."""
_SLICE_S = 0.1
"""What a slice is to take: chains end at different times, and wait for the last."""


class GpuChainRuns:
    """Chains of iterated greedy on one GPU; an ``Activity``.

    The incumbent has a schedule to begin with. When others have found a better one, the worst
    chains go on from that. ``failure`` is why the GPU runs no more chains, if it has failed.
    """

    name = source = "iterated greedy"
    urgent = True
    complete = False

    def __init__(
        self, problem: FlowShop, incumbent: Incumbent, device: Device, seed: Sequence[int]
    ) -> None:
        self.share = 1.0
        self.done = False
        self.failure: str | None = None
        self._problem, self._incumbent, self._device = problem, incumbent, device
        self._seed = seed
        self._chains: GpuChains | None = None
        self._iterations = 1
        self._seen = 0

    def step(self) -> float:
        """Do some iterations in all chains; see ``Activity``."""
        began = clock.seconds()
        try:
            self._run(began)
        except DeviceError as error:
            _log.warning("device lost: %s; no more iterated greedy runs on it", error)
            self.failure, self.done = str(error), True
        self.share = share_of(self.source, self._incumbent)
        return 1e9 * (clock.seconds() - began)

    def _run(self, began: float) -> None:
        best = self._incumbent.best
        assert best is not None
        if self._chains is None:
            self._chains = GpuChains(self._problem, self._device, best.solution, seed=self._seed)
        elif best.objective < self._seen:
            self._chains.follow(best.solution)
        permutation = self._chains.run(self._iterations)
        # Plainly: what a device has counted is not believed.
        makespan = self._problem.evaluate(permutation)
        self._incumbent.offer(makespan, permutation, self.source)
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
    if not cards or problem.jobs < _FEWEST_JOBS or problem.machines < _FEWEST_MACHINES:
        return []
    if not fits_chains(problem, cards[0], incumbent.cutoff):
        return []
    begin_compiling(problem, cards[0])
    return [
        GpuChainRuns(problem, incumbent, card, (abs(seed), int(seed < 0), number))
        for number, card in enumerate(cards)
    ]
