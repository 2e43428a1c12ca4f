"""Searches of the tree by all devices of a solve."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from prunus.hardware.devices import Devices
from prunus.runtime.outcome import Outcome
from prunus.runtime.translated_monitor import AnyMonitor
from prunus.treesearch.driver.explorers import explorers_on
from prunus.treesearch.driver.prove import prove
from prunus.treesearch.driver.resume_state import ResumeState
from prunus.treesearch.interval.explorer_factory import IntervalExplorerFactory
from prunus.treesearch.model import Explorer


class TreeOnDevices:
    """The tree of a solve on all its ``devices``.

    Explorers are ``made`` once, but for cores anew when it has been taken what they left open.
    """

    def __init__(
        self, factory: IntervalExplorerFactory, devices: Devices, monitor: AnyMonitor, seed: int
    ) -> None:
        self.devices = devices
        self._factory, self._monitor, self._seed = factory, monitor, seed
        self.made: Sequence[Explorer] | None = None

    def explorers(self) -> Sequence[Explorer]:
        """Return what searches the tree, one for each device."""
        if self.made is None:
            self.made = explorers_on(self.devices, self._factory, self._monitor)
        return self.made

    def search(
        self, begun: Callable[[], ResumeState | None] | None, earlier: int, **how: Any
    ) -> Outcome:
        """Search it, from what is begun of it; see ``prove``.

        Begun anew, what is shown meanwhile has the nodes of ``earlier`` tries, and the outcome not.
        """
        earlier = 0 if begun is not None else earlier

        def anew() -> ResumeState:
            return ResumeState(self._factory.space, None, (earlier, 0))

        outcome = prove(
            self._monitor,
            first_incumbents=begun or anew,
            explorers=self.explorers,
            seed=self._seed,
            policy=self._factory.policy,
            **how,
        )
        return replace(outcome, nodes=max(0, outcome.nodes - earlier))

    def take_open(self, outcome: Outcome, before: ResumeState | None) -> ResumeState:
        """Return what a search on cores has left open of what was open before."""
        space = self._factory.space
        left = ResumeState(space, None, (outcome.nodes, outcome.leaves))
        states = [explorer.state() for explorer in self.explorers()]
        left.work = space.join([part for work, _ in states for part in work])
        left.fathomed = sum(fathomed for _, fathomed in states)
        left.fathomed += 0 if before is None else before.fathomed
        self.made = None
        return left
