"""The course of a solve by a portfolio: activities side by side, tries of the tree, the proof."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Protocol

from prunus.hardware.device import Device
from prunus.hardware.devices import Devices, available_cores, first_gpu, open_gpu
from prunus.runtime.outcome import Outcome
from prunus.runtime.translated_monitor import AnyMonitor
from prunus.treesearch.driver.resume_state import ResumeState
from prunus.treesearch.interval.explorer_factory import IntervalExplorerFactory
from prunus.treesearch.options import Proof
from prunus.treesearch.portfolio.on_devices import TreeOnDevices
from prunus.treesearch.portfolio.portfolio import Portfolio
from prunus.treesearch.portfolio.tuning import TRY_TUNING


class Parts(Protocol):
    """What a problem puts into a portfolio."""

    def find_first(self, course: PortfolioMethod) -> None:
        """Offer first solutions."""

    def together(self, course: PortfolioMethod) -> Portfolio:
        """Put the portfolio together; the incumbent has what was found first."""


class PortfolioMethod:
    """One solve: finds better solutions and proves, each as far as it pays; see ``Parts``.

    How the proof is made has priority where the user has chosen it. An automatic choice of devices
    takes the first GPU, if it can be used. GPUs search the tree, and heuristics run on them too;
    cores are for what does not run on GPUs. There may be no tree: then the bound is that of the
    root, unless a beam has dropped nothing.
    """

    def __init__(
        self,
        factory: IntervalExplorerFactory,
        devices: Devices,
        monitor: AnyMonitor,
        parts: Parts,
        *,
        seed: int,
        root_bound: int,
        proof: Proof,
        has_tree: bool,
    ) -> None:
        self.has_tree = has_tree
        self.factory, self.monitor = factory, monitor
        self._parts = parts
        self._seed, self.root_bound, self.proof = seed, root_bound, proof
        self._tuning = TRY_TUNING
        self.cards: Sequence[Device] = ()
        self.cores = max(1, devices.cores)
        self._portfolio: Portfolio | None = None
        self._trial_nodes = 0
        self._tree = TreeOnDevices(factory, devices, monitor, seed)
        self._left: ResumeState | None = None
        self._targets_tried = False
        with monitor.interruptible():
            self.cards = self._open_cards()
        if self.cards:
            # Those that wait for a GPU, or search the tree as well, are not free.
            self.cores = max(1, available_cores() - len(self.cards) - self._tree.devices.cores)

    def _open_cards(self) -> Sequence[Device]:
        """Return the GPUs on which heuristics run; they search the tree as well."""
        devices, factory = self._tree.devices, self.factory
        if not devices.automatic or factory.prefers_cores:
            return [open_gpu(index) for index in devices.gpus]

        def first() -> Device:
            if self.has_tree:
                self._tree.made = [factory.on_gpu(open_gpu(0))]
            return open_gpu(0)

        found = first_gpu(first, "searching")
        if found is None:
            self._tree.devices = replace(devices, automatic=False)
            return []
        self._tree.devices = replace(devices, cores=0, gpus=(0,), automatic=False)
        return [found]

    @property
    def begun(self) -> bool:
        """Whether an earlier run has begun the tree and left some of it open."""
        return self.monitor.resumed is not None and self.monitor.resumed.open_work is not None

    @property
    def tree_beside(self) -> bool:
        """Whether the tree is searched beside heuristics."""
        return self.has_tree and self.proof is not Proof.CLIMB and not self.begun

    @property
    def cards_for_heuristics(self) -> Sequence[Device]:
        """The GPUs that have heuristics before the tree: none where that is begun."""
        return [] if self.begun else self.cards

    @property
    def _beside_proof(self) -> bool:
        """Whether heuristics run beside the proof: on a single core every run is to be the same."""
        return self.cores > 1 or bool(self.cards)

    @property
    def heuristics_seed(self) -> int:
        """The seed of heuristics: when the tree goes on, they are not to repeat an earlier run."""
        resumed = self.monitor.resumed
        return self._seed + (resumed.nodes if self.begun and resumed is not None else 0)

    def run(self) -> Outcome:
        """Solve."""
        monitor, incumbent = self.monitor, self.monitor.incumbent
        monitor.note_bound(self.root_bound)
        root = self.root_bound = monitor.at_least(self.root_bound)
        outcome: Outcome | None = None
        with monitor.interruptible():
            if self.begun:
                # ``should_stop`` is not asked: its checkpoints lack what is open of the tree.
                if root < incumbent.cutoff and self._beside_proof:
                    self._portfolio = self._parts.together(self)
            elif root < incumbent.cutoff:
                self._parts.find_first(self)
                if root < incumbent.cutoff and not self.should_stop():
                    self._portfolio = self._parts.together(self)
                    outcome = self._run(self._portfolio)
        outcome = outcome or (self._prove() if self.has_tree else self._end())
        nodes, figures = outcome.nodes + self._trial_nodes, dict(outcome.statistics)
        if self._portfolio is not None:
            nodes += self._portfolio.side_nodes
            self._portfolio.note_times()
            if failures := self._portfolio.failures:
                figures["failures"] = [*failures, *figures.get("failures", ())]
        devices = outcome.devices or self._names()
        return replace(outcome, nodes=nodes, devices=devices, statistics=figures)

    def _run(self, portfolio: Portfolio) -> Outcome | None:
        """Run it, and try the tree; return what that ends with, None where the proof is due."""
        tuning, outcome = self._tuning, None
        if self.cards and portfolio.may_be_small:
            share = tuning.gpu_first_share * self.monitor.time_left
            outcome = self._try_tree(portfolio, min(tuning.gpu_first_s, share))
        while outcome is None:
            portfolio.run(self.should_stop)
            outcome = portfolio.outcome()
            if outcome is not None:
                self._trial_nodes += 0 if self._left is None else self._left.nodes
            elif not self._may_be_in_vain(portfolio):
                break
            else:
                share = tuning.gpus_share if self.cards else tuning.cores_share
                seconds = max(
                    tuning.least_s, share * portfolio.elapsed, portfolio.tries.sure_s or 0.0
                )
                outcome = self._try_tree(portfolio, seconds, below_targets=bool(self.cards))
        return outcome

    def _names(self) -> tuple[str, ...]:
        cores = self._tree.devices.cores if self.cards else self.cores
        cards = [f"cuda:{card.index}" for card in self.cards]
        return (*cards, *([f"cpu:{cores}"] if cores else []))

    def should_stop(self) -> bool:
        monitor, portfolio = self.monitor, self._portfolio
        bound = self.root_bound if portfolio is None else portfolio.lower
        writer = monitor.checkpoint_writer
        if writer is not None and writer.due(monitor.incumbent.objective):
            # What is open of the tree is so little by now that it is begun again.
            writer.write(**monitor.state())
        return monitor.poll("heuristics", bound=bound, nodes=self._nodes)

    @property
    def _nodes(self) -> int:
        """Nodes of all that was searched until now, but what cores have left open."""
        return self._trial_nodes + (0 if self._portfolio is None else self._portfolio.nodes)

    @property
    def proof_first(self) -> bool:
        monitor = self.monitor
        chosen = self.proof is not Proof.AUTO or monitor.checkpoint_writer is not None
        return self.has_tree and (chosen or math.isinf(monitor.time_left))

    def _may_be_in_vain(self, portfolio: Portfolio) -> bool:
        """Whether all devices might search the tree until the limit, to no avail."""
        tree = portfolio.tree
        if tree is None or tree.done or tree.trusted:
            return False
        if not self.proof_first:
            return True
        return portfolio.tries.unknown and self.proof is Proof.AUTO and not self._targets_tried

    def _try_tree(
        self, portfolio: Portfolio, seconds: float, *, below_targets: bool = False
    ) -> Outcome | None:
        """Search the tree on all devices for a while; return what that ends with, if anything.

        It is searched below the incumbent, or below targets that are raised.
        """
        if portfolio.tree is None:
            return None
        left, self._left = self._left, None
        self._targets_tried = self._targets_tried or below_targets
        self._tree.explorers()  # before other threads are at work, which would make it take longer
        with portfolio.beside():
            outcome = self._tree.search(
                None if left is None else lambda: left,
                self._nodes,
                root_bound=portfolio.lower,
                direct_s=0.0 if below_targets else seconds,
                raise_s=seconds if below_targets else 0.0,
                raised=portfolio.raised,
            )
        if outcome.complete or outcome.stop_reason is not None:
            self._trial_nodes += portfolio.nodes - portfolio.side_nodes
            return outcome
        tuning, bound = self._tuning, outcome.bound
        targets = outcome.statistics.get("targets", ())
        large = [each for each in targets if each["nodes"] >= tuning.rate_nodes]
        portfolio.tries.note_rate(
            max((each["nodes"] / each["time"] for each in large), default=0.0)
        )
        portfolio.tried(
            seconds,
            1.0 if portfolio.tree.trusted or below_targets else tuning.again_factor,
            tuning.gpus_rest if self.cards else tuning.cores_rest,
            portfolio.lower if bound is None or not below_targets else int(bound),
        )
        if self.cards:
            self._trial_nodes += outcome.nodes
            for explorer in self._tree.explorers():
                explorer.clear()
        else:
            self._left = self._tree.take_open(outcome, left)
        return None

    def _end(self) -> Outcome:
        """Return what it ends with where there is no tree."""
        cutoff, bound = self.monitor.incumbent.cutoff, self.root_bound
        if bound >= cutoff:
            return Outcome(complete=True, bound=cutoff, explored=1.0)
        return Outcome(complete=False, bound=bound, stop_reason=self.monitor.stop_token.reason)

    def _prove(self) -> Outcome:
        """Search the tree on all devices, heuristics beside it."""
        portfolio, done = self._portfolio, False
        begun: Callable[[], ResumeState | None] | None = None
        beside, direct_s, others = False, None, 0
        if portfolio is not None:
            done = portfolio.tree is not None and portfolio.tree.done
            left = self._left
            if left is None and (done or not self.cards):
                begun = portfolio.begun
            else:
                begun = None if left is None else lambda: left
                others = portfolio.nodes - portfolio.side_nodes
            beside = not done and self._beside_proof
            seconds, tuning = portfolio.tries.seconds, self._tuning
            tree = portfolio.tree
            if self.cards and self.proof is Proof.AUTO and tree is not None:
                if not tree.trusted:
                    direct_s = 0.0
                elif seconds is not None and seconds <= tuning.gpu_direct_s:
                    direct_s = tuning.gpu_direct_factor * seconds
        with portfolio.beside() if portfolio is not None and beside else nullcontext():
            outcome = self._tree.search(
                begun,
                self._nodes,
                root_bound=self.root_bound if portfolio is None else portfolio.lower,
                proof=self.proof,
                sampled=self.factory.tree,
                raised=None if portfolio is None else portfolio.raised,
                direct_s=direct_s,
            )
        self._trial_nodes += others
        return outcome
