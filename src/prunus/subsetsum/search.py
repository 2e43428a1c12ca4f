"""Which method searches an instance that is reduced, on which devices, and what is tried first."""

from __future__ import annotations

import math

from prunus.errors import DeviceError, OptionError
from prunus.hardware.devices import Devices, select_gpus, warn_of_cpu
from prunus.runtime.outcome import Outcome
from prunus.subsetsum.cost_model import cheapest, cheapest_on_gpu
from prunus.subsetsum.dynamic_programming.method import solve_by_bitset
from prunus.subsetsum.estimates import Estimates, Weights
from prunus.subsetsum.gpu.list_sizes import fixed_items as fixed_items_on_gpu
from prunus.subsetsum.heuristics import lattice
from prunus.subsetsum.heuristics.sampling import samples
from prunus.subsetsum.pieces.accounting import PieceAccounting
from prunus.subsetsum.pieces.checkpoint import resumed_tree
from prunus.subsetsum.pieces.description import SearchDescription
from prunus.subsetsum.pieces.search import PieceSearch, SearchDevices
from prunus.subsetsum.reporter import Reporter
from prunus.subsetsum.residue_partition import KEYS_PER_CLASS
from prunus.subsetsum.tuning import TUNING
from prunus.subsetsum.two_lists.cpu import fixed_items


class Search:
    """The search for one instance: which method, and where."""

    def __init__(
        self, report: Reporter, method: str, devices: Devices, estimates: Estimates, seed: int
    ) -> None:
        self.report, self.method, self.wanted, self.seed = report, method, devices, seed
        self.estimates = estimates
        self.monitor = report.monitor
        self.weights, self.target = report.reduced.weights, report.reduced.target
        self.objective = report.problem.objective
        self.cores = max(1, devices.cores)

    def run(self) -> Outcome:
        """Search by the method asked for, or by those that suit the instance."""
        method, estimates = self.method, self.estimates
        if method != "auto" and not self.wanted.automatic:
            estimates.gpus = select_gpus(self.wanted, "searching")
            return self.by(method, self.objective)
        found = estimates.on_cores(self.weights, self.target, self.objective)
        chosen = cheapest(found) if method == "auto" else method
        proof = found.get(chosen, min(found.values()))
        worth_it = proof > TUNING.gpu_from and method != "lattice"
        estimates.gpus = select_gpus(self.wanted, "searching", worth_it=worth_it)
        there = estimates.on_gpus(self.weights, self.target, self.objective)
        best_there = cheapest_on_gpu(there) if there and method == "auto" else method
        cost_there = there.get(best_there, math.inf)
        if cost_there < proof or (cost_there < math.inf and not self.wanted.cores):
            chosen, proof = best_there, cost_there
        elif method == "auto":
            estimates.gpus = ()
        if method != "auto":
            return self.by(method, self.objective)
        if (
            proof > TUNING.heuristics_from
            and self.objective != "count"
            and self.monitor.resumed is None
        ):
            outcome = self.try_first(chosen, proof)
            if outcome is not None:
                return outcome
        return self.by(chosen, self.objective)

    def try_first(self, method: str, proof: float) -> Outcome | None:
        """Try what may find a subset with the target as its sum fast, but proves nothing."""
        report = self.report
        if lattice.available() and lattice.density(self.weights) < TUNING.sparse_density:
            outcome = self.by("lattice", "sum", largest_block=24)
            if outcome.complete or report.stopped:
                return outcome
        sampled = self.by_sampling(proof)
        if sampled is not None:
            return sampled
        if self.objective == "closest" and method == "two-list":
            exact = self.estimates.on_cores(self.weights, self.target, "sum")["four-list"]
            there = self.estimates.on_gpus(self.weights, self.target, "sum")
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
            here = self.estimates.on_cores(light, sample.target, "sum")["four-list"]
            there = self.estimates.on_gpus(light, sample.target, "sum")
            least = min(there.values(), default=math.inf)
            on_gpu = least < here or (least < math.inf and not self.wanted.cores)
            cost = least if on_gpu else here
            if number == TUNING.samples or 4 * cost > proof:
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
                there = self.estimates.gpus_can(method, self.weights, self.target, objective)
                device = self.estimates.gpus[0] if there else None
                return solve_by_bitset(self.report, objective, self.estimates.memory, device)
            work = self.work(method, objective)
            accounting = self.go_through(work, method, keeping=keeping)
        except DeviceError as error:
            if not self.wanted.automatic:
                raise
            warn_of_cpu("searching", error)
            self.estimates.gpus = ()
            return self.by(method, objective, keeping=keeping)
        subset = accounting.subset
        if objective == "sum" and not accounting.satisfied:
            subset = None
        complete = accounting.finished and (objective == self.objective or accounting.satisfied)
        return self.report.end(
            method, subset, count=accounting.count, complete=complete, explored=accounting.explored
        )

    def work(self, method: str, objective: str) -> SearchDescription:
        """Describe the search by four or two lists, for the devices that will do it."""
        weights, target = self.weights, self.target
        before = resumed_tree(self.monitor)
        there = self.estimates.gpus_can(method, self.weights, self.target, objective)
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
        fixed = fixed_items(len(weights), self.estimates.memory, split=split, wide=wide)
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
        fixed = fixed_items_on_gpu(
            len(weights), self.estimates.fits_on_gpus, split=split, closest=closest
        )
        return SearchDescription("two-list-gpu", weights, target, objective, fixed, gpus=gpus)

    def go_through(self, work: SearchDescription, phase: str, *, keeping: bool) -> PieceAccounting:
        """Search the pieces of some work on the executor, if there is one, or on this machine."""
        there = work.keys is not None or work.kind == "two-list-gpu"
        gpus = self.estimates.gpus if there else ()
        cores = 0 if self.wanted.automatic or not self.wanted.cores else self.cores
        machine = SearchDevices(cores if gpus else self.cores, gpus, self.wanted.engine)
        self.report.devices_at_work = machine.cores + len(gpus)
        look = self.report.poller(phase, offering=work.weights is self.weights)
        drive = PieceSearch(work, machine, self.monitor, look, keeping)
        accounting = drive.go()
        self.report.devices = drive.devices
        self.report.statistics |= drive.statistics
        return accounting
