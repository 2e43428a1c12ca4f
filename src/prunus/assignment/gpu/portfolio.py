"""One solve of one problem on a GPU: what is tried in which order, and what is proven."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

import numpy as np

from prunus.assignment.arithmetic import sums_are_finite
from prunus.assignment.certificate import Certificate
from prunus.assignment.gpu import timing
from prunus.assignment.gpu import tuning as default
from prunus.assignment.gpu.answers import DeviceAnswers
from prunus.assignment.gpu.arriving import ArrivingRows
from prunus.assignment.gpu.cost_scaling import CostScaling
from prunus.assignment.gpu.exact import DeviceExactSolver
from prunus.assignment.gpu.instance import DeviceInstance
from prunus.assignment.gpu.instance_kernels import LONG
from prunus.assignment.gpu.jacobi_auction import JacobiAuction
from prunus.assignment.gpu.multi_gpu import MultiDeviceInstance
from prunus.assignment.gpu.placement import place
from prunus.assignment.gpu.sampled_duals import SampledDuals
from prunus.assignment.gpu.switching import DeviceSwitching
from prunus.assignment.gpu.value_source import ValueSource
from prunus.assignment.instance.facts import InstanceFacts
from prunus.assignment.portfolio.record import SolveRecord
from prunus.assignment.portfolio.unscanned import answer_unscanned, pausing
from prunus.assignment.problem import Assignment
from prunus.errors import OptionError
from prunus.hardware import clock
from prunus.hardware.threads import Threads
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.runtime.stop_token import StoppedError


class Verdict(Enum):
    """What a portfolio on GPUs says at its end."""

    FINISHED = "finished"
    """The optimum is proven, or the solve has to stop."""
    LEFT_TO_CPU = "left to the CPU"
    """The instance is one that GPUs do not solve to the end."""


class DevicePortfolio:
    """Solve a problem that is neither sparse nor a stack on one GPU, or on several.

    ``why_left`` says why the problem is left to cores, in the words after "since".
    """

    _certificate: Certificate
    _answers: DeviceAnswers
    _facts: InstanceFacts

    def __init__(
        self,
        problem: Assignment,
        method: str,
        monitor: Monitor,
        devices: Sequence[Any],
        threads: Threads,
        seed: int,
    ) -> None:
        self.problem, self._method, self._monitor = problem, method, monitor
        self._threads, self._seed = threads, seed
        self._record = SolveRecord(exact=not monitor.limited)
        self.why_left = ""
        self._devices = devices
        self._tuning = default.DEFAULT_TUNING
        self._hurried = monitor.limited or method == "switching"
        self._instance: Any = None
        self._arriving: ArrivingRows | None = None
        self._exact: DeviceExactSolver | None = None
        self._contested = False

    def run(self, start: str, order: str) -> Verdict:
        """Solve until the optimum is proven or the monitor says stop.

        What is left to cores is said in ``why_left``, if there is a reason to be told.
        """
        verdict = self._run(start, order)
        if self._instance is not None and self._certificate.blurred:
            self.why_left = "rounding of its largest values hides how its small ones differ"
            return Verdict.LEFT_TO_CPU
        return verdict

    def _run(self, start: str, order: str) -> Verdict:
        square = self.problem.agents == self.problem.jobs
        hurried = self._hurried
        if self._method == "auction" and not square:
            raise OptionError("method", "needs as many agents as jobs; leave it out", "auction")
        monitor = self._monitor
        try:
            ahead = self._prepare if self._method != "auction" and not hurried else None
            placed = place(self.problem, self._devices, self._threads, pausing(monitor), ahead)
        except StoppedError:
            answer_unscanned(self.problem, monitor, self._seed, self._record)
            return Verdict.FINISHED
        sources, firsts, known = placed
        if self._arriving is not None and self._arriving.instance.source is not sources[0]:
            self._arriving = None  # a number did not fit into half of its bytes
        if self._arriving is not None:
            self._instance = self._arriving.instance
        elif sources[0].price == np.float64 and sources[0].columns > 1 and not hurried:
            # While the device goes through the values, as hardly any of these are not for it.
            self._instance = self._new_instance(sources, firsts)
        facts = self._facts = known()
        self._certificate = Certificate(self.problem, facts, self._monitor)
        self._record.certificate = self._certificate
        self.why_left = self._not_for_gpus(facts)
        small = sums_are_finite(facts.largest, facts.rows)
        if self.why_left or facts.columns < 2 or not small:
            return Verdict.LEFT_TO_CPU
        if self._instance is None:
            self._instance = self._new_instance(sources, firsts)
        square = square and not facts.forbidden
        equal = facts.spread == 0 and not facts.forbidden
        if not hurried and not equal and self._method != "auction":
            self._begin_exactly(square)
        self._answers = DeviceAnswers(
            self._instance, self._certificate, self._seed, self._record.statistics
        )
        self._start_clock()
        top = int(facts.high) * facts.rows if facts.integral else facts.high * facts.rows
        self._certificate.improve_bound(
            top, abs(top) * 2.0**-52, (np.full(facts.rows, facts.high), np.zeros(facts.columns))
        )
        if equal:
            # No step of prices is small beside differences that are none.
            self._record.exact = self._method != "switching"
            self._certificate.offer(np.arange(facts.rows), "equal values")
            if self._certificate.complete:
                self._certificate.poll("equal values", force=True)
                return Verdict.FINISHED
        if self._method == "auction":
            auction = JacobiAuction(self._instance, facts)
            self._answers.follow(auction, "auction")
            self._record.statistics["rounds"] = auction.rounds
            return Verdict.FINISHED
        # A sample gives other prices in every run, on which it depends what exchange a row finds.
        late = hurried and start == "random" and order != "sequential"
        if hurried and not late:
            self._contested = self._sample_prices(square)
        if self._certificate.poll("reading", force=True) and not hurried:
            return Verdict.FINISHED
        if hurried and self._switch(start, order):
            return Verdict.FINISHED
        if late:
            self._contested = self._sample_prices(square)
        if hurried and self._bound_by_prices(square, order):
            return Verdict.FINISHED
        if self._method == "switching":
            return Verdict.FINISHED
        if square:
            self._solve(start, order)
        elif not hurried or monitor.time_left > self._tuning.host_seconds:
            self._solve_with_host()
        proven = (
            self._record.infeasible or self._certificate.complete or monitor.stop_token.requested
        )
        return Verdict.FINISHED if proven else Verdict.LEFT_TO_CPU

    def _prepare(self, source: ValueSource) -> Callable[[int, int], None]:
        """Begin with a matrix that is on its way; return what looks at rows that are there."""
        if source.columns < 2:
            return lambda begin, end: None
        self._arriving = ArrivingRows(self._new_instance([source], [0]), self._seed)
        return self._arriving.look

    def _new_instance(self, sources: list[ValueSource], firsts: list[int]) -> DeviceInstance:
        if len(sources) == 1:
            return DeviceInstance(self._devices[0], sources[0])
        return MultiDeviceInstance(self._devices, sources, firsts)

    def _not_for_gpus(self, facts: InstanceFacts) -> str:
        """Say why an instance cannot be solved on GPUs, if it cannot."""
        if facts.huge:
            return "its sums do not fit into 64 bits, and Python's integers solve it exactly"
        if facts.forbidden and self._method == "auction":
            return "the plain auction may never end where pairs are forbidden"
        if facts.forbidden and self._hurried:
            return "with forbidden pairs and a time limit only the CPU has an answer at any time"
        return ""

    def outcome(self) -> Outcome:
        """Say what was found and proven, and how much the GPUs did."""
        if self._instance is not None:
            self._record.statistics.update(self._instance.counters())
        names = tuple(f"cuda:{device.index}" for device in self._devices)
        return self._record.outcome(self._method, names, self._monitor)

    def _start_clock(self) -> None:
        """Tell the device how long it may work; the host needs some of the time for the answer.

        Once, and while the devices have nothing else to do.
        """
        if self._monitor.time_left == math.inf:
            return
        for device in self._devices:
            device.finish()
        self._monitor.reserve = timing.answer_seconds(self._facts.rows)
        self._instance.set_deadline(lambda: self._monitor.time_left)

    def _sample_prices(self, square: bool, *, sure: bool = False) -> bool:
        """Give the instance prices if its rows all want the same few columns; return whether."""
        left = self._monitor.time_left
        sampled = SampledDuals.of_large_square(self._instance, self._seed, left) if square else None
        if sampled is None or left <= 0:
            return False
        if not sure:
            sampled.ask(self._facts.rows)
        contested = sure or sampled.contested()
        if contested:
            limit = timing.nanoseconds(self._monitor.time_left, self._tuning.sampling_share)
            sampled.price_columns(self._facts, limit)
        return contested

    def _begin_exactly(self, square: bool) -> None:
        """Begin with the exact method, which finds out whether rows all want the same columns."""
        arriving, sampled = self._arriving, None
        if arriving is not None:
            sampled = arriving.sampled if square else None
        elif square and (sampled := SampledDuals.of_large_square(self._instance, self._seed)):
            sampled.ask(self._facts.rows)
        self._exact = DeviceExactSolver(
            self._instance, self._facts, left=math.inf, listed=arriving is not None, sampled=sampled
        )
        self._exact.begin()

    def _switch(self, start: str, order: str) -> bool:
        """Run deep greedy switching; return whether to stop."""
        facts, instance = self._facts, self._instance
        self._record.switching = self._record.switching or self._hurried
        began = clock.seconds()
        # An exact solve without a deadline switches to the end: a better start is worth it.
        limit = (
            facts.spread * self._tuning.sampled_error if self._contested and self._hurried else 0.0
        )
        switching = self._switching(order, limit)
        given = self._monitor.incumbent.best
        if given is not None:
            solution = self._certificate.problem.completed(np.asarray(given.solution))
            switching.start_from(facts.column(solution).astype(np.int32))
        elif start == "random":
            switching.start_from(None)
        else:
            left = self._monitor.time_left
            switching.start_greedily(
                timing.nanoseconds(left, self._tuning.placing_share) if left < math.inf else 0
            )
        stop = self._certificate.poll("deep greedy switching", force=True)
        for _ in switching.run() if not stop else ():
            stop = self._certificate.poll("deep greedy switching")
            if stop:
                break
        done = clock.seconds()
        self._record.statistics["switching_time"] = done - began
        instance.prefetch_answer()
        self._answers.offer("deep greedy switching")
        if order == "sequential":
            self._answers.bound(looked=True)
        timing.note_answer(facts.rows, clock.seconds() - done)
        return stop or self._certificate.poll("deep greedy switching", force=True)

    def _switch_on(self) -> bool:
        """Switch to the end, where a limit had left something out; return whether to stop."""
        steps = self._switching("sequential").run()
        return any(self._certificate.poll("deep greedy switching") for _ in steps)

    def _switching(self, order: str, limit: float = 0.0) -> DeviceSwitching:
        tiny: Any = 0 if self._facts.integral else self._facts.largest * 1e-12
        return DeviceSwitching(self._instance, order, self._seed, tiny, limit)

    def _bound_by_prices(self, square: bool, order: str) -> bool:
        """Sweep the prices that guided the start while the gap is wide and that pays."""
        if order != "sequential":
            self._answers.bound()
        for _ in range(self._tuning.price_sweeps if square and self._contested else 0):
            if self._certificate.poll("sweeping prices", force=True):
                return True
            if self._certificate.gap < self._tuning.wide_gap:
                break
            before = self._certificate.bound
            self._instance.run("lower_prices")
            self._answers.bound()
            if self._certificate.bound == before:
                break
        return self._certificate.poll("sweeping prices", force=True)

    def _new_exact(self) -> DeviceExactSolver:
        return DeviceExactSolver(self._instance, self._facts, left=self._monitor.time_left)

    def _solve_with_host(self) -> None:
        """Find the optimum of a rectangle, or with forbidden pairs."""
        self._record.exact = True
        exact = self._exact or self._new_exact()
        self._answers.advance(exact)
        self._record.infeasible = exact.finished and not exact.feasible
        if exact.finished and not self._record.infeasible:
            self._answers.conclude(exact, "augmenting paths")

    def _solve(self, start: str, order: str) -> None:
        """Find the optimum of a square problem, if there is time."""
        self._record.exact = True
        instance, monitor = self._instance, self._monitor
        if not self._contested:
            exact = self._exact or self._new_exact()
            self._answers.advance(exact)
            if not exact.contested:
                self._answers.conclude(exact, "augmenting paths")
                if exact.finished and not self._certificate.poll("augmenting paths", force=True):
                    # Rounding has left something to raise.
                    exact.hand_back()
                    raising = CostScaling(instance, self._facts, hurried=monitor.limited, scales=())
                    self._answers.follow(raising, "cost scaling")
                return
            # The prices of an auction that was given up prove nothing.
            if self._certificate.poll("auction", force=True):
                return
            self._contested = True
            self._sample_prices(True, sure=True)
            if self._switch(*(("greedy", "sequential") if self._hurried else (start, order))):
                return
        if monitor.limited and self._switch_on():
            return
        instance.use_longer_lists(LONG)
        instance.run("fill_lists")
        raising = CostScaling(instance, self._facts, hurried=monitor.limited)
        self._answers.follow(raising, "cost scaling")
