"""The method ``portfolio``: heuristics and the tree side by side, then the proof."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from prunus.flowshop.objective import Objective
from prunus.flowshop.portfolio.parts import portfolio_of, tree_share
from prunus.hardware import clock
from prunus.hardware.device import Device
from prunus.hardware.devices import Devices, available_cores, first_gpu, open_gpu
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.treesearch.driver.explorers import explorers_on
from prunus.treesearch.driver.prove import prove
from prunus.treesearch.driver.resume_state import ResumeState
from prunus.treesearch.model import Explorer
from prunus.treesearch.options import Proof
from prunus.treesearch.portfolio.portfolio import Portfolio
from prunus.treesearch.portfolio.tree import TreeTuning

MAX_TREE_JOBS = 1000
"""With more jobs the tree is not searched under a limit: its numbers of leaves, as many digits as
jobs each, would take longer to compute than a slice lasts, and a node longer to reach."""
_GPU_TRIAL_S, _GPU_TRIAL_SHARE = 0.25, 0.5
"""GPUs search the tree first for so many seconds, or for this part of what is left of a limit."""
_TRY_CORES, _TRY_GPUS, _TRY_AGAIN = 0.5, 0.2, 12.0
"""Under a limit, a tree whose estimates are not to be trusted is searched by all cores, or GPUs,
for this part of the time so far, and again when it seems to take no more than so many times that.
Cores go on with what they have left open."""
_GPU_TREE = TreeTuning(first_nodes=1000, last_nodes=1000)
"""After that, cores only estimate how large the tree is."""
_GPU_DIRECT_S, _DIRECT_FACTOR = 120.0, 3.0
"""A tree that seems to take GPUs no longer is searched below the incumbent, for so many times as
long as it seems to take, before targets are raised from below."""


class PortfolioMethod:
    """One solve: finds better schedules and proves, each as far as it pays.

    An automatic choice of devices takes the first GPU, if it can be used. How the proof is made has
    priority where the user has chosen it. ``beams``: whether there are some beside iterated greedy.
    """

    def __init__(
        self,
        objective: Objective,
        devices: Devices,
        monitor: Monitor,
        *,
        seed: int,
        root_bound: int,
        proof: Proof,
        beams: bool,
    ) -> None:
        self._objective, self._factory = objective, objective.factory
        self._devices, self._monitor = devices, monitor
        self._seed, self._root_bound, self._proof, self._with_beams = seed, root_bound, proof, beams
        self._portfolio: Portfolio | None = None
        self._first_s = 0.0
        self._trial_nodes = 0
        self._made: Sequence[Explorer] | None = None
        self._left: ResumeState | None = None
        self._cards = self._open_cards()
        if self._cards:
            # Those that wait for a GPU, or search the tree as well, are not free.
            self._cores = max(1, available_cores() - len(self._cards) - self._devices.cores)
        else:
            self._cores = max(1, devices.cores)

    def run(self) -> Outcome:
        """Solve."""
        monitor, incumbent = self._monitor, self._monitor.incumbent
        outcome: Outcome | None = None
        with monitor.interruptible():
            monitor.note_bound(self._root_bound)
            fresh = monitor.resumed is None or monitor.resumed.open_work is None
            if fresh and self._root_bound < incumbent.cutoff:
                self._first_schedule()
                if self._root_bound < incumbent.cutoff and not self._should_stop():
                    self._portfolio = portfolio = self._make_portfolio()
                    if self._cards:
                        share = _GPU_TRIAL_SHARE * monitor.time_left
                        outcome = self._try_tree(portfolio, min(_GPU_TRIAL_S, share))
                    while outcome is None:
                        portfolio.run(self._should_stop)
                        outcome = portfolio.outcome()
                        if outcome is not None:
                            self._trial_nodes += 0 if self._left is None else self._left.nodes
                        elif not self._may_be_in_vain(portfolio):
                            break
                        else:
                            share = _TRY_GPUS if self._cards else _TRY_CORES
                            seconds = max(_GPU_TRIAL_S, share * portfolio.elapsed)
                            outcome = self._try_tree(portfolio, seconds)
        outcome = outcome or self._prove()
        nodes = outcome.nodes + self._trial_nodes
        if self._portfolio is not None:
            nodes += self._portfolio.side_nodes
        return replace(
            outcome,
            nodes=nodes,
            devices=outcome.devices or self._names(),
            statistics={**outcome.statistics, "portfolio": self._statistics()},
        )

    def _open_cards(self) -> Sequence[Device]:
        """Return the GPUs on which beams run; they search the tree as well."""
        devices, factory = self._devices, self._factory
        if not devices.automatic or factory.prefers_cores:
            return [open_gpu(index) for index in devices.gpus]

        def first() -> Device:
            if self._has_tree:
                self._made = [factory.on_gpu(open_gpu(0))]
            return open_gpu(0)

        found = first_gpu(first, "searching")
        if found is None:
            self._devices = replace(devices, automatic=False)
            return []
        self._devices = replace(devices, cores=0, gpus=(0,), automatic=False)
        return [found]

    @property
    def _has_tree(self) -> bool:
        return self._objective.problem.jobs <= MAX_TREE_JOBS

    def _explorers(self) -> Sequence[Explorer]:
        if self._made is None:
            self._made = explorers_on(self._devices, self._factory, self._monitor)
        return self._made

    def _names(self) -> tuple[str, ...]:
        cores = self._devices.cores if self._cards else self._cores
        cards = [f"cuda:{card.index}" for card in self._cards]
        return (*cards, *([f"cpu:{cores}"] if cores else []))

    def _should_stop(self) -> bool:
        monitor, portfolio = self._monitor, self._portfolio
        bound = self._root_bound if portfolio is None else portfolio.lower
        nodes = self._trial_nodes + (0 if portfolio is None else portfolio.nodes)
        writer = monitor.checkpoint_writer
        if writer is not None and writer.due(monitor.incumbent.objective):
            # What is open of the tree is so little by now that it is begun again.
            writer.write(**monitor.state())
        return monitor.poll("heuristics", bound=bound, nodes=nodes)

    def _first_schedule(self) -> None:
        began, objective = clock.seconds(), self._objective
        permutation = objective.first_schedule(self._should_stop)
        cost = objective.problem.evaluate(permutation)
        self._monitor.incumbent.offer(cost, permutation, objective.first)
        self._first_s = clock.seconds() - began

    def _make_portfolio(self) -> Portfolio:
        objective, monitor = self._objective, self._monitor
        incumbent = monitor.incumbent
        tree, cards = None, self._cards if self._with_beams else []
        if self._proof is not Proof.CLIMB and self._has_tree:
            tuning = _GPU_TREE if self._cards else TreeTuning()
            tree = tree_share(objective, incumbent, tuning)
        return portfolio_of(
            objective,
            tree,
            self._cores,
            monitor,
            seed=self._seed,
            lower=self._root_bound,
            beams=self._with_beams,
            proof_first=self._proof_first,
            gpus=len(self._cards),
            gpu_beams=objective.gpu_beams(cards, incumbent, lambda: monitor.time_left),
        )

    @property
    def _proof_first(self) -> bool:
        monitor = self._monitor
        chosen = self._proof is not Proof.AUTO or monitor.checkpoint_writer is not None
        return chosen or math.isinf(monitor.time_left)

    def _may_be_in_vain(self, portfolio: Portfolio) -> bool:
        """Whether all devices might search the tree until the limit, to no avail."""
        tree = portfolio.tree
        return not (tree is None or tree.done or tree.trusted or self._proof_first)

    def _try_tree(self, portfolio: Portfolio, seconds: float) -> Outcome | None:
        """Search the tree on all devices for a while; return what that ends with, if anything."""
        if portfolio.tree is None:
            return None
        left, self._left = self._left, None
        with portfolio.beside():
            outcome = prove(
                self._monitor,
                root_bound=portfolio.lower,
                first_incumbents=None if left is None else lambda: left,
                explorers=self._explorers,
                seed=self._seed,
                policy=self._factory.policy,
                direct_s=seconds,
                raise_targets=False,
            )
        if outcome.complete or outcome.stop_reason is not None:
            self._trial_nodes += portfolio.nodes - portfolio.side_nodes
            return outcome
        portfolio.tried(seconds, 1.0 if portfolio.tree.trusted else _TRY_AGAIN)
        if self._cards:
            self._trial_nodes += outcome.nodes
            for explorer in self._explorers():
                explorer.clear()
        else:
            self._left, self._made = self._open(outcome, left), None
        return None

    def _open(self, outcome: Outcome, before: ResumeState | None) -> ResumeState:
        """Return what a search on cores has left open of what was open before."""
        space = self._factory.space
        left = ResumeState(space, None, (outcome.nodes, outcome.leaves))
        states = [explorer.state() for explorer in self._explorers()]
        left.work = space.join([part for work, _ in states for part in work])
        left.fathomed = sum(fathomed for _, fathomed in states)
        left.fathomed += 0 if before is None else before.fathomed
        return left

    def _prove(self) -> Outcome:
        """Search the tree on all devices, heuristics beside it."""
        portfolio, done = self._portfolio, False
        begun: Callable[[], object] | None = None
        beside, direct_s = False, None
        if portfolio is not None:
            done = portfolio.tree is not None and portfolio.tree.done
            left = self._left
            if left is None and (done or not self._cards):
                begun = portfolio.begun
            else:
                begun = None if left is None else lambda: left
                self._trial_nodes += portfolio.nodes - portfolio.side_nodes
            # On a single core every run is to be the same.
            beside = not done and (self._cores > 1 or bool(self._cards))
            seconds = portfolio.tree_s
            if self._cards and self._proof is Proof.AUTO and seconds is not None:
                direct_s = _DIRECT_FACTOR * seconds if seconds <= _GPU_DIRECT_S else None
        with portfolio.beside() if portfolio is not None and beside else nullcontext():
            return prove(
                self._monitor,
                root_bound=self._root_bound if portfolio is None else portfolio.lower,
                first_incumbents=begun,
                explorers=self._explorers,
                seed=self._seed,
                policy=self._factory.policy,
                proof=self._proof,
                sampled=self._factory.tree,
                direct_s=direct_s,
            )

    def _statistics(self) -> dict[str, Any]:
        """Return the seconds and the improvements of each heuristic, by name."""
        sources = [entry.source for entry in self._monitor.incumbent.improvements]
        first = self._objective.first
        figures: dict[str, Any] = {
            first: {"time": self._first_s, "improvements": sources.count(first)}
        }
        return figures if self._portfolio is None else figures | self._portfolio.statistics()
