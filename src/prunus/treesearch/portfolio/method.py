"""The course of a solve by a portfolio: who has the tree, from first solutions to the proof.

1. First solutions are offered.
2. GPUs try the tree, if it may be small.
3. A ``Portfolio`` shares the cores among heuristics, beams and the tree, which has one core at a
   time; heuristics have the GPUs. A ``TreeSchedule`` says when that ends.
4. Where it is not sure how large the tree is, all devices try it for a while, heuristics in threads
   beside them; then 3 goes on. Cores go on with what they left open at the next try; what the
   portfolio has done of it stays there.
5. The proof: all devices search the tree to its end, from what one core or the last try has left.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from prunus.treesearch.portfolio.portfolio import Activities, Portfolio


class Parts(Protocol):
    """What a problem brings to a solve by a portfolio."""

    def find_first(self, course: PortfolioMethod) -> None:
        """Offer first solutions."""

    def activities(self, course: PortfolioMethod) -> Activities:
        """Return what shares the devices; the incumbent has what was found first."""


class PortfolioMethod:
    """One solve: finds better solutions and proves, each as far as it pays; see ``Parts``.

    An automatic choice of devices takes the first GPU, if it can be used. GPUs search the tree, and
    heuristics run on them too; ``cores`` are for what does not run on GPUs. There may be no tree
    (``proof`` is None): then the bound is that of the root, unless a beam has dropped nothing.
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
        proof: Proof | None,
    ) -> None:
        self.factory, self.monitor = factory, monitor
        self.root_bound, self.proof = root_bound, proof
        self._parts, self._seed = parts, seed
        self._tree = TreeOnDevices(factory, devices, monitor, seed)
        self._portfolio: Portfolio | None = None
        self.cores = max(1, devices.cores)
        self.cards: Sequence[Device] = ()
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
            if self.proof is not None:
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
        return self.proof not in (None, Proof.CLIMB) and not self.begun

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
                    self._portfolio = self._put_together()
            elif root < incumbent.cutoff:
                self._parts.find_first(self)
                if root < incumbent.cutoff and not self.should_stop():
                    self._portfolio = self._put_together()
                    outcome = self._run(self._portfolio)
        outcome = outcome or (self._end() if self.proof is None else self._prove(self.proof))
        nodes, figures = outcome.nodes + self._nodes, dict(outcome.statistics)
        if self._portfolio is not None:
            self._portfolio.note_times()
            if failures := self._portfolio.failures:
                figures["failures"] = [*failures, *figures.get("failures", ())]
        devices = outcome.devices or self._names()
        return replace(outcome, nodes=nodes, devices=devices, statistics=figures)

    def _put_together(self) -> Portfolio:
        given = self._parts.activities(self)
        if self.proof is None and not given.on_gpus:
            self.cards = []
        return Portfolio(
            given,
            self.monitor,
            cores=self.cores,
            gpus=len(self.cards),
            lower=self.root_bound,
            proof=self.proof,
        )

    def _run(self, portfolio: Portfolio) -> Outcome | None:
        """Run it, and try the tree; return what that ends with, None where the proof is due."""
        schedule, below_targets = portfolio.schedule, False
        seconds = None if schedule is None else schedule.first_try_s(portfolio.lower)
        while True:
            if seconds is not None:
                outcome = self._try_tree(portfolio, seconds, below_targets=below_targets)
                if outcome is not None:
                    return outcome
            portfolio.run(self.should_stop)
            outcome = portfolio.outcome()
            seconds = None if schedule is None else schedule.try_s(portfolio.elapsed)
            if outcome is not None or seconds is None:
                return outcome
            below_targets = bool(self.cards)

    def _try_tree(
        self, portfolio: Portfolio, seconds: float, *, below_targets: bool
    ) -> Outcome | None:
        """Search the tree on all devices for a while; return what that ends with, if anything.

        It is searched below the incumbent, or below targets that are raised.
        """
        self._tree.explorers()  # before other threads are at work, which would make it take longer
        with portfolio.beside():
            outcome = self._tree.search(
                None,
                self._nodes,
                root_bound=portfolio.lower,
                direct_s=0.0 if below_targets else seconds,
                raise_s=seconds if below_targets else 0.0,
                raised=portfolio.raised,
            )
        if outcome.complete or outcome.stop_reason is not None:
            return outcome
        portfolio.note_try(seconds, outcome, below_targets=below_targets)
        return None

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
        """Nodes of all that was searched until now, but of what a search goes on with."""
        return self._tree.nodes + (0 if self._portfolio is None else self._portfolio.nodes)

    def _end(self) -> Outcome:
        """Return what it ends with where there is no tree."""
        cutoff, bound = self.monitor.incumbent.cutoff, self.root_bound
        if bound >= cutoff:
            return Outcome(complete=True, bound=cutoff, explored=1.0)
        return Outcome(complete=False, bound=bound, stop_reason=self.monitor.stop_token.reason)

    def _prove(self, proof: Proof) -> Outcome:
        """Search the tree on all devices, heuristics beside it."""
        portfolio = self._portfolio
        if portfolio is None:
            return self._tree.search(
                None, 0, root_bound=self.root_bound, proof=proof, estimated=True
            )
        done, schedule = portfolio.tree is not None and portfolio.tree.done, portfolio.schedule
        begun: ResumeState | None = None
        if self._tree.left is None and (done or not self.cards):
            begun = portfolio.hand_over()
        with portfolio.beside() if self._beside_proof and not done else nullcontext():
            return self._tree.search(
                begun,
                self._nodes,
                root_bound=portfolio.lower,
                proof=proof,
                raised=portfolio.raised,
                estimated=True,
                direct_s=None if schedule is None else schedule.direct_s,
            )
