"""Solve a subset-sum instance: reductions, a method that suits it, a last check by adding up."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from prunus.errors import DeviceError, OptionError
from prunus.hardware.device import Device
from prunus.hardware.devices import Devices, select_gpus, warn_of_cpu
from prunus.model.spec import AUTO, OptionValue
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.subsetsum.cost_model import (
    available_memory,
    cheapest,
    cheapest_on_gpu,
    cpu_costs,
    gpu_costs,
)
from prunus.subsetsum.dynamic_programming import bitset
from prunus.subsetsum.dynamic_programming.method import solve_by_bitset
from prunus.subsetsum.gpu.two_list import fixed_items as fixed_items_on_gpu
from prunus.subsetsum.heuristics import lattice
from prunus.subsetsum.heuristics.greedy import greedy
from prunus.subsetsum.heuristics.sampling import samples
from prunus.subsetsum.pieces.accounting import PieceAccounting
from prunus.subsetsum.pieces.checkpoint import resumed_tree
from prunus.subsetsum.pieces.description import SearchDescription
from prunus.subsetsum.pieces.search import PieceSearch, SearchDevices
from prunus.subsetsum.problem import SubsetSum
from prunus.subsetsum.reductions import reduce_instance
from prunus.subsetsum.reporter import Reporter
from prunus.subsetsum.residue_partition import KEYS_PER_CLASS
from prunus.subsetsum.tuning import TUNING, SubsetSumTuning
from prunus.subsetsum.two_lists.cpu import fixed_items

Weights = tuple[int, ...]


def run(
    problem: SubsetSum, options: SubsetSumOptions, devices: Devices, monitor: Monitor, seed: int
) -> Outcome:
    """Answer the problem's question as far as the monitor allows."""
    if devices.engine is not None and options.method == "two-list-unsplit":
        raise OptionError(
            "method", "is for one machine; with an executor: two-list", "two-list-unsplit"
        )
    reduced = reduce_instance(
        problem.weights, problem.target, problem.objective, test_divisor=options.divisor_test
    )
    report = Reporter(problem, reduced, monitor)
    settled = report.trivial_answer()
    if settled is None and problem.objective == "closest":
        chosen = greedy(reduced.weights, reduced.target, quick=not monitor.limited)
        if report.offer(chosen, "greedy") == problem.target:
            settled = report.end("greedy", chosen, complete=True)
    return settled or _Search(report, options, devices, seed).search()


class _Search:
    """The search for one instance: which method, and where."""

    def __init__(
        self, report: Reporter, options: SubsetSumOptions, devices: Devices, seed: int
    ) -> None:
        self.report, self.options, self.wanted, self.seed = report, options, devices, seed
        self.monitor = report.monitor
        self.weights, self.target = report.reduced.weights, report.reduced.target
        self.objective = report.problem.objective
        self.tuning = options.tuning
        self.cores = max(1, devices.cores)
        self.gpus: tuple[Device, ...] = ()

    def search(self) -> Outcome:
        """Search by the method asked for, or by those that suit the instance."""
        method = self.options.method
        if method != "auto" and not self.wanted.automatic:
            self.gpus = select_gpus(self.wanted, "searching")
            return self.by(method, self.objective)
        found = self.costs_here(self.weights, self.target, self.objective)
        chosen = cheapest(found) if method == "auto" else method
        proof = found.get(chosen, min(found.values())) / self.cores
        worth_it = proof > self.tuning.gpu_from_s and method != "lattice"
        self.gpus = select_gpus(self.wanted, "searching", worth_it=worth_it)
        there = self.costs_there(self.weights, self.target, self.objective)
        best_there = cheapest_on_gpu(there, self.tuning) if there and method == "auto" else method
        cost_there = there.get(best_there, math.inf)
        if cost_there < proof or (cost_there < math.inf and not self.wanted.cores):
            chosen, proof = best_there, cost_there
        elif method == "auto":
            self.gpus = ()
        if method != "auto":
            return self.by(method, self.objective)
        if (
            proof > self.tuning.heuristics_from_s
            and self.objective != "count"
            and self.monitor.resumed is None
        ):
            outcome = self.try_first(chosen, proof)
            if outcome is not None:
                return outcome
        return self.by(chosen, self.objective)

    def costs_here(self, weights: Weights, target: int, objective: str) -> dict[str, float]:
        """Return the seconds each method takes on a core, infinite where it cannot be used."""
        return cpu_costs(weights, target, objective, self.memory, self.tuning)

    def costs_there(self, weights: Weights, target: int, objective: str) -> dict[str, float]:
        """Return the seconds each method takes on the GPUs, infinite where it cannot be used."""
        if not self.gpus:
            return {}
        return gpu_costs(weights, target, objective, self.fit_there, len(self.gpus), self.tuning)

    @cached_property
    def memory(self) -> int:
        """The bytes that a search may take in a process; a system takes its time to tell."""
        return self.options.memory or available_memory(self.tuning)

    def fit_there(self, count: int) -> bool:
        """Whether so many bytes, and a seventh beside them, are free on every GPU."""
        return all(device.fits(count // 7 * 8) for device in self.gpus)

    def try_first(self, method: str, proof: float) -> Outcome | None:
        """Try what may find a subset with the target as its sum fast, but proves nothing."""
        report = self.report
        if lattice.available() and lattice.density(self.weights) < self.tuning.sparse_density:
            outcome = self.by("lattice", "sum", largest_block=24)
            if outcome.complete or report.stopped:
                return outcome
        sampled = self.by_sampling(proof)
        if sampled is not None:
            return sampled
        if self.objective == "closest" and method == "two-list":
            exact = self.costs_here(self.weights, self.target, "sum")["four-list"] / self.cores
            there = self.costs_there(self.weights, self.target, "sum")
            exact = min(exact, there.get("four-list", math.inf))
            if lattice.density(self.weights) > 1 and 2 * exact < proof:
                outcome = self.by("four-list", "sum", keeping=False)
                if outcome.bound is not None or report.stopped:
                    return outcome
        return None

    def by_sampling(self, proof: float) -> Outcome | None:
        """Search small instances within a dense one, while they take much less than a proof."""
        for number, sample in enumerate(samples(self.weights, self.target, self.seed)):
            light = tuple(self.weights[item] for item in sample.free)
            here = self.costs_here(light, sample.target, "sum")["four-list"] / self.cores
            there = self.costs_there(light, sample.target, "sum")
            least = min(there.values(), default=math.inf)
            on_gpu = least < here or (least < math.inf and not self.wanted.cores)
            cost = least if on_gpu else here
            if number == self.tuning.samples or 4 * cost > proof:
                break
            if on_gpu:
                found = "two-list" if there["two-list"] == least else "four-list"
                work = self.work_there(found, light, sample.target, "sum")
            else:
                work = SearchDescription("four-list", light, sample.target, "sum")
            accounting = self.go_through(work, "sampling", keeping=False)
            if accounting.satisfied and accounting.subset is not None:
                chosen = [*sample.taken, *(sample.free[k] for k in accounting.subset)]
                return self.report.end("sampling", chosen, complete=True)
            if self.report.stopped:
                return self.report.end("sampling", complete=False)
        return None

    def by(
        self, method: str, objective: str, *, keeping: bool = True, largest_block: int = 32
    ) -> Outcome:
        """Search by one method; on the cores if an automatically chosen GPU fails."""
        if method == "lattice":
            chosen = lattice.reduced_subset(
                self.weights,
                self.target,
                lambda done: not self.monitor.poll("lattice reduction"),
                largest_block=largest_block,
            )
            return self.report.end(method, chosen, complete=chosen is not None)
        try:
            if method == "bitset":
                there = self.fits_there(method, objective)
                device = self.gpus[0] if there else None
                return solve_by_bitset(self.report, objective, self.memory, device, self.tuning)
            work = self.work(method, objective)
            accounting = self.go_through(work, method, keeping=keeping)
        except DeviceError as error:
            if not self.wanted.automatic:
                raise
            warn_of_cpu("searching", error)
            self.gpus = ()
            return self.by(method, objective, keeping=keeping)
        subset = accounting.subset
        if objective == "sum" and not accounting.satisfied:
            subset = None
        complete = accounting.finished and (objective == self.objective or accounting.satisfied)
        return self.report.end(
            method, subset, count=accounting.count, complete=complete, explored=accounting.explored
        )

    def fits_there(self, method: str, objective: str) -> bool:
        """Whether the GPUs know a method and have the memory for it."""
        if method == "bitset":
            wanted = bitset.bytes_needed(len(self.weights), self.target)
            return bool(self.gpus) and objective != "count" and self.fit_there(wanted)
        method = "two-list" if method == "two-list-unsplit" else method
        there = self.costs_there(self.weights, self.target, objective)
        return there.get(method, math.inf) < math.inf

    def work(self, method: str, objective: str) -> SearchDescription:
        """Describe the search by four or two lists, for the devices that will do it."""
        weights, target = self.weights, self.target
        before = resumed_tree(self.monitor)
        there = self.fits_there(method, objective)
        if before is not None and before.get("kind") in ("two-list", "wide-list"):
            there = False
        if method == "four-list" and before is not None:
            resumed = self.monitor.resumed
            keys = None if resumed is None else resumed.tree_count("keys")
            gpus = self.wanted.gpus if there and keys else ()
            return SearchDescription(method, weights, target, objective, keys=keys, gpus=gpus)
        if there:
            return self.work_there(method, weights, target, objective)
        if method == "four-list":
            return SearchDescription(method, weights, target, objective)
        split, wide = method == "two-list", sum(weights) >= 2**63
        if wide and objective == "count":
            raise OptionError(
                "method", "counts sums below 2**63 only; use four-list or auto", method
            )
        fixed = fixed_items(len(weights), self.memory, split=split, wide=wide)
        kind = "wide-list" if wide else "two-list"
        return SearchDescription(kind, weights, target, objective, fixed)

    def work_there(
        self, method: str, weights: Weights, target: int, objective: str
    ) -> SearchDescription:
        """Describe the search by four or two lists on the GPUs."""
        gpus = self.wanted.gpus
        if method == "four-list":
            return SearchDescription(
                method, weights, target, objective, keys=KEYS_PER_CLASS, gpus=gpus
            )
        split, closest = method == "two-list", objective == "closest"
        fixed = fixed_items_on_gpu(len(weights), self.fit_there, split=split, closest=closest)
        return SearchDescription("two-list-gpu", weights, target, objective, fixed, gpus=gpus)

    def go_through(self, work: SearchDescription, phase: str, *, keeping: bool) -> PieceAccounting:
        """Search the pieces of some work on the executor, if there is one, or on this machine."""
        there = work.keys is not None or work.kind == "two-list-gpu"
        gpus = self.gpus if there else ()
        cores = 0 if self.wanted.automatic or not self.wanted.cores else self.cores
        machine = SearchDevices(cores if gpus else self.cores, gpus, self.wanted.engine)
        self.report.devices_at_work = machine.cores + len(gpus)
        look = self.report.poller(phase, offering=work.weights is self.weights)
        drive = PieceSearch(work, machine, self.monitor, look, keeping, self.tuning)
        accounting = drive.go()
        self.report.devices = drive.devices
        self.report.statistics |= drive.statistics
        return accounting


@dataclass(frozen=True, slots=True)
class SubsetSumOptions:
    """What can be chosen; ``spec.py`` says what it means."""

    method: str
    memory: int | None
    divisor_test: bool
    tuning: SubsetSumTuning
    """What was measured."""


def settings(
    problem: SubsetSum, options: Mapping[str, OptionValue], *, method: str | None
) -> SubsetSumOptions:
    """Return what was chosen; raise ``OptionError`` if it does not go together."""
    method = method or AUTO
    if method == "lattice" and problem.objective != "sum":
        raise OptionError("method", "only looks for a subset with the sum; leave it out", "lattice")
    if method == "four-list" and problem.objective == "closest":
        raise OptionError(
            "method", "cannot find the closest sum; use two-list or bitset", "four-list"
        )
    memory = options["memory"]
    return SubsetSumOptions(
        method=method,
        memory=None if memory is None else int(memory),
        divisor_test=bool(options["divisor_test"]),
        tuning=TUNING,
    )
