"""Solve a subset-sum instance: reductions, a method that suits it, a last check by adding up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from prunus.devices import Devices
from prunus.errors import DeviceError, InputError
from prunus.monitor import Monitor
from prunus.options import refuse_unknown
from prunus.outcome import Outcome
from prunus.problems.subsetsum import SubsetSum
from prunus.subsetsum import bitset, counting, lattice
from prunus.subsetsum.choose import available_memory, best, costs
from prunus.subsetsum.ledger import Ledger
from prunus.subsetsum.on_cores import LOOK, on_cores
from prunus.subsetsum.on_executor import on_executor, workers
from prunus.subsetsum.reduce import Reduced, reduce
from prunus.subsetsum.resume import keep, resumed_ranges
from prunus.subsetsum.sample import samples
from prunus.subsetsum.two_list import fixed_items
from prunus.subsetsum.work import Description, plan

__all__ = ["METHODS", "SubsetSumOptions", "run", "settings"]

METHODS = ("auto", "four-list", "two-list", "two-list-unsplit", "bitset", "lattice")

_WORTH_A_TRY = 1.0
"""Seconds a proof must be expected to take before something that proves nothing is tried first."""
_SPARSE = 0.75
"""Density below which lattice reduction is likely to find a subset."""
_SAMPLES = 4
"""Small instances that are tried within a dense one."""


@dataclass(frozen=True, slots=True)
class SubsetSumOptions:
    """What can be chosen.

    Attributes
    ----------
    method
        One of ``METHODS``.
    executor
        Anything like ``concurrent.futures.Executor`` to search on instead of this process.
    memory
        Bytes that the lists or bit sets may take, in each process.
    divisor_test
        Begin with the test that the greatest common divisor divides the target.
    """

    method: str
    executor: Executor | None
    memory: int
    divisor_test: bool


def settings(
    problem: SubsetSum, options: Mapping[str, Any], *, method: str | None, upper_bound: int | None
) -> SubsetSumOptions:
    """Check options given by keyword; raise ``InputError`` for the first that is wrong."""
    refuse_unknown(options, ("executor", "memory", "divisor_test"), "subset sum")
    if upper_bound is not None:
        raise InputError("upper_bound: subset sum has none; its target says what is sought")
    method = method or METHODS[0]
    if method == "lattice" and problem.objective != "sum":
        raise InputError("method='lattice' only looks for a subset with the sum; leave it out")
    if method == "four-list" and problem.objective == "closest":
        raise InputError("method='four-list' cannot find the closest sum; use two-list or bitset")
    executor = options.get("executor")
    if executor is not None and not hasattr(executor, "submit"):
        raise InputError(f"executor={executor!r} is no executor: it has no method submit")
    if executor is not None and method == "two-list-unsplit":
        raise InputError("method='two-list-unsplit' is for one machine; with an executor: two-list")
    memory = options.get("memory")
    if memory is not None and (
        isinstance(memory, bool) or not isinstance(memory, (int, np.integer)) or memory < 2**20
    ):
        raise InputError(f"memory={memory!r} is not a number of bytes of at least 2**20")
    divisor_test = options.get("divisor_test", True)
    if divisor_test not in (True, False):
        raise InputError(f"divisor_test={divisor_test!r} is neither True nor False")
    return SubsetSumOptions(
        method=method,
        executor=executor,
        memory=available_memory() if memory is None else int(memory),
        divisor_test=bool(divisor_test),
    )


def run(
    problem: SubsetSum, options: SubsetSumOptions, devices: Devices, monitor: Monitor, seed: int
) -> Outcome:
    """Answer the problem's question as far as the monitor allows."""
    if devices.gpus:
        raise DeviceError("subset sum does not run on GPUs yet; use devices='cpu' or 'auto'")
    reduced = reduce(
        problem.weights, problem.target, problem.objective, test_divisor=options.divisor_test
    )
    solve = _Solve(problem, reduced, options, devices.cores, monitor, seed)
    return solve.settle() or solve.search()


class _Solve:
    """One solve: the instance as reduced, and how to report on it in terms of the user's."""

    def __init__(
        self,
        problem: SubsetSum,
        reduced: Reduced,
        options: SubsetSumOptions,
        cores: int,
        monitor: Monitor,
        seed: int,
    ) -> None:
        self.problem, self.reduced, self.options = problem, reduced, options
        self.weights, self.target = reduced.weights, reduced.target
        self.cores, self.monitor, self.seed = cores, monitor, seed
        self.devices: tuple[str, ...] = (f"cpu:{cores}",)
        self.statistics: dict[str, Any] = {"reduced_items": len(self.weights)}
        self.interrupted = False

    # What can be said at once.

    def settle(self) -> Outcome | None:
        """Answer what needs no search."""
        if self.reduced.hopeless:
            return self.end("reductions", complete=True)
        if self.target == 0:
            return self.end("reductions", (), count=1, complete=True)
        if self.target == sum(self.weights):
            return self.end("reductions", range(len(self.weights)), count=1, complete=True)
        return None

    def end(
        self,
        method: str,
        chosen: Any = None,
        *,
        count: int = 0,
        complete: bool,
        explored: float | None = None,
    ) -> Outcome:
        """Check a subset by adding it up, offer it, and say how it was found."""
        objective = self.problem.objective
        bound: int | None = None
        if chosen is not None and objective != "count":
            items = self.reduced.subset(chosen)
            value = self.problem.evaluate(items)
            if value > self.problem.target or (objective == "sum" and value < self.problem.target):
                raise AssertionError(f"a subset by {method} adds up to {value}")
            self.monitor.incumbent.offer(value, np.array(items, np.int64), method)
            complete = complete or value == self.problem.target
            if complete:
                bound = value
        if objective == "closest" and not complete:
            bound = self.reduced_bound()
        return Outcome(
            complete=complete,
            bound=bound,
            leaves=count * self.reduced.factor if objective == "count" else 0,
            explored=1.0 if complete else explored or 0.0,
            devices=() if method == "reductions" else self.devices,
            statistics=self.statistics,
            method=method,
        )

    def reduced_bound(self) -> int:
        """Return what no sum below the target can exceed."""
        most = sum(weight for weight in self.problem.weights if weight > 0)
        return min(self.problem.target, most)

    # The methods.

    def search(self) -> Outcome:
        """Search by the method asked for, or by those that suit the instance."""
        method = self.options.method
        memory, objective = self.options.memory, self.problem.objective
        if method != "auto":
            return self.by(method, objective)
        found = costs(self.weights, self.target, objective, memory)
        method = best(found)
        proof = found[method]
        if proof > _WORTH_A_TRY and objective != "count" and self.monitor.resumed is None:
            outcome = self.try_first(method, proof)
            if outcome is not None:
                return outcome
        return self.by(method, objective)

    def try_first(self, method: str, proof: float) -> Outcome | None:
        """Try what may find a subset with the target as its sum fast, but proves nothing."""
        if lattice.available() and lattice.density(self.weights) < _SPARSE:
            outcome = self.by("lattice", "sum", largest_block=24)
            if outcome.complete or self.stopped:
                return outcome
        for number, sample in enumerate(samples(self.weights, self.target, self.seed)):
            light = tuple(self.weights[item] for item in sample.free)
            cost = costs(light, sample.target, "sum", self.options.memory)
            if number == _SAMPLES or 4 * min(cost.values()) > proof:
                break
            work = Description("four-list", light, sample.target, "sum")
            ledger = self.go_through(work, "sampling", keeping=False)
            if ledger.satisfied and ledger.subset is not None:
                chosen = [*sample.taken, *(sample.free[k] for k in ledger.subset)]
                return self.end("sampling", chosen, complete=True)
            if self.stopped:
                return self.end("sampling", complete=False)
        if self.problem.objective == "closest" and method == "two-list":
            exact = costs(self.weights, self.target, "sum", self.options.memory)["four-list"]
            if lattice.density(self.weights) > 1 and 2 * exact < proof:
                outcome = self.by("four-list", "sum", keeping=False)
                if outcome.bound is not None or self.stopped:
                    return outcome
        return None

    @property
    def stopped(self) -> bool:
        """Whether the monitor has said to stop, or the user has."""
        return self.monitor.stopped_by is not None

    def by(
        self, method: str, objective: str, *, keeping: bool = True, largest_block: int = 32
    ) -> Outcome:
        """Search by one method."""
        if method == "bitset":
            return self.by_bitset(objective)
        if method == "lattice":
            chosen = lattice.reduced_subset(
                self.weights,
                self.target,
                lambda done: not self.monitor.look("lattice reduction"),
                largest_block=largest_block,
            )
            return self.end(method, chosen, complete=chosen is not None)
        wide = sum(self.weights) >= 2**63
        kind, fixed = "four-list", 0
        if method != "four-list":
            kind = "wide-list" if wide else "two-list"
            if wide and objective == "count":
                raise InputError(
                    f"method={method!r} counts sums below 2**63 only; use four-list or auto"
                )
            split = method == "two-list"
            fixed = fixed_items(len(self.weights), self.options.memory, split=split, wide=wide)
        work = Description(kind, self.weights, self.target, objective, fixed)
        ledger = self.go_through(work, method, keeping=keeping)
        subset = ledger.subset
        if objective == "sum" and not ledger.satisfied:
            subset = None
        complete = ledger.finished and (objective == self.problem.objective or ledger.satisfied)
        return self.end(
            method, subset, count=ledger.count, complete=complete, explored=ledger.explored
        )

    def by_bitset(self, objective: str) -> Outcome:
        """Search by dynamic programming."""
        n = len(self.weights)
        counting_all = objective == "count"
        needed = (
            counting.bytes_needed(self.target)
            if counting_all
            else bitset.bytes_needed(n, self.target)
        )
        if needed > self.options.memory:
            raise InputError(
                f"method='bitset' needs {needed >> 20:,} MiB for this target; "
                "use another method, or give more memory="
            )
        steps = n * counting.passes(n) if counting_all else 3 * n
        last = [self.monitor.elapsed]

        def keep_going(done: int) -> bool:
            if self.monitor.elapsed - last[0] < LOOK:
                return True
            last[0] = self.monitor.elapsed
            return not self.monitor.look("dynamic programming", explored=min(1.0, done / steps))

        self.devices = ("cpu:1",)
        if counting_all:
            count = counting.count_subsets(self.weights, self.target, keep_going)
            return self.end("bitset", count=count or 0, complete=count is not None)
        chosen = bitset.largest_reachable(
            self.weights, self.target, keep_going, closest=objective == "closest"
        )
        return self.end("bitset", chosen, complete=not self.stopped or chosen is not None)

    def go_through(self, work: Description, phase: str, *, keeping: bool) -> Ledger:
        """Search the pieces of some work on the executor, if there is one, or on the cores."""
        executor = self.options.executor
        look = self.looker(phase)
        made = None
        cores = self.cores
        with ThreadPoolExecutor(max(1, cores)) as pool:
            try:
                if executor is None or work.kind == "four-list":
                    # The pieces of the four lists are known only from the lists, which are small.
                    made = plan(
                        work,
                        cores,
                        lambda function, numbers: list(pool.map(function, numbers)),
                        lambda: look(None),
                    )
                    pieces = made.pieces
                else:
                    pieces = pieces_of(work)
            except KeyboardInterrupt:
                self.monitor.stopped_by = "interrupt"
                return self.ledger(work, 1)
        ledger = self.ledger(work, max(1, pieces))
        if made is not None and pieces == 0:
            return ledger
        ranges = resumed_ranges(self.monitor, work, pieces) if keeping else None
        if ranges is not None:
            ledger.resume(*ranges)

        def see() -> bool:
            if keeping:
                keep(self.monitor, work, ledger)
            return look(ledger)

        try:
            if executor is not None:
                first = max(1, pieces // 4096)
                self.devices = (f"{type(executor).__name__}:{workers(executor)}",)
                course = on_executor(executor, work, ledger, see, size=first)
                self.statistics |= {"tasks": course.tasks, "task_failures": course.failures}
                if course.broken:
                    self.statistics["executor_broken"] = True
                    self.devices = (*self.devices, f"cpu:{cores}")
            if not ledger.finished and not self.stopped and (executor is None or course.broken):
                on_cores(made or plan(work, cores), ledger, cores, see)
        except KeyboardInterrupt:
            self.monitor.stopped_by = "interrupt"
        if keeping:
            keep(self.monitor, work, ledger, last=True)
        self.statistics |= {"pieces": ledger.pieces, "pieces_done": ledger.done}
        return ledger

    def ledger(self, work: Description, pieces: int) -> Ledger:
        """Return the books of some work; its subsets are valued by Python integers."""

        def value(subset: tuple[int, ...]) -> int:
            return sum(work.weights[item] for item in subset)

        return Ledger(pieces, value, None if work.objective == "count" else work.target)

    def looker(self, phase: str) -> Callable[[Ledger | None], bool]:
        """Return what tells the monitor how far a search is and asks it whether to stop."""
        counting_all = self.problem.objective == "count"
        bound = self.reduced_bound() if self.problem.objective == "closest" else None

        def look(ledger: Ledger | None) -> bool:
            if ledger is not None and self.problem.objective == "closest" and ledger.subset:
                items = self.reduced.subset(ledger.subset)
                value = self.problem.evaluate(items)
                if value <= self.problem.target:
                    self.monitor.incumbent.offer(value, np.array(items, np.int64), phase)
            return self.monitor.look(
                phase,
                bound=bound,
                objective=ledger.count * self.reduced.factor if ledger and counting_all else None,
                explored=ledger.explored if ledger else 0.0,
                active=self.cores,
                explorers=self.cores,
            )

        return look


def pieces_of(work: Description) -> int:
    """Return how many pieces some work will have, without making its lists."""
    from prunus.subsetsum import two_list

    if work.kind == "wide-list":
        return 1 << work.fixed
    return two_list.pieces(len(work.weights), work.fixed)
