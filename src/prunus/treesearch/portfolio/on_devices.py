"""Searches of the tree by all devices of a solve."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from prunus.hardware.devices import Devices
from prunus.runtime.outcome import Outcome
from prunus.runtime.translated_monitor import AnyMonitor
from prunus.treesearch.driver.explorers import explorers_on
from prunus.treesearch.driver.prove import prove
from prunus.treesearch.driver.resume_state import ResumeState
from prunus.treesearch.driver.target_searches import TargetSearches
from prunus.treesearch.interval.explorer_factory import IntervalExplorerFactory
from prunus.treesearch.model import Explorer
from prunus.treesearch.options import Proof


class TreeOnDevices:
    """The tree of a solve on all its ``devices``.

    What a search leaves open that has not ended, cores go on with (``left``); GPUs begin anew.
    Explorers are ``made`` once, but for cores anew when it has been taken what they left open.
    """

    def __init__(
        self, factory: IntervalExplorerFactory, devices: Devices, monitor: AnyMonitor, seed: int
    ) -> None:
        self.devices = devices
        self.made: Sequence[Explorer] | None = None
        self.left: ResumeState | None = None
        self._factory, self._monitor, self._seed = factory, monitor, seed
        self._given_up = 0

    @property
    def nodes(self) -> int:
        """Nodes of searches that have not ended."""
        return self._given_up + (0 if self.left is None else self.left.nodes)

    def explorers(self) -> Sequence[Explorer]:
        """Return what searches the tree, one for each device."""
        if self.made is None:
            self.made = explorers_on(self.devices, self._factory, self._monitor)
        return self.made

    def search(
        self,
        begun: ResumeState | None,
        earlier: int,
        *,
        root_bound: int,
        raised: TargetSearches | None = None,
        proof: Proof = Proof.DIRECT,
        direct_s: float | None = None,
        raise_s: float = math.inf,
        estimated: bool = False,
    ) -> Outcome:
        """Search it, from what is begun of it, or left; see ``prove``.

        Begun anew, what is shown meanwhile has ``earlier`` nodes more, and the outcome not.
        ``estimated``: it is shown how many nodes there seem to be.
        """
        if begun is None:
            begun, self.left = self.left, None
        earlier = earlier if begun is None else 0
        before = begun
        if earlier:
            before = ResumeState(self._factory.space, None, (earlier, 0))
        outcome = prove(
            self._monitor,
            before=before,
            explorers=self.explorers,
            seed=self._seed,
            policy=self._factory.policy,
            root_bound=root_bound,
            raised=raised,
            proof=proof,
            direct_s=direct_s,
            raise_s=raise_s,
            sampled=self._factory.tree if estimated else None,
        )
        outcome = replace(outcome, nodes=max(0, outcome.nodes - earlier))
        if not outcome.complete and outcome.stop_reason is None:
            self._keep(outcome, begun)
        return outcome

    def _keep(self, outcome: Outcome, before: ResumeState | None) -> None:
        """Keep what a search on cores has left open of what was open before; clear GPUs."""
        explorers = self.explorers()
        if self.devices.gpus:
            self._given_up += outcome.nodes
            for explorer in explorers:
                explorer.clear()
            return
        space = self._factory.space
        left = ResumeState(space, None, (outcome.nodes, outcome.leaves))
        states = [explorer.state() for explorer in explorers]
        left.work = space.join([part for work, _ in states for part in work])
        left.fathomed = sum(fathomed for _, fathomed in states)
        left.fathomed += 0 if before is None else before.fathomed
        self.left, self.made = left, None
