"""What is known of a knapsack while it is solved: the best choice, the bound, the cost so far."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter

from prunus._native.knapsack import Choice, Items, Lattice, Reduced, Relaxation
from prunus.hardware.memory import usable_memory
from prunus.knapsack.gpu.devices import NO_GPUS, LazyGpus
from prunus.knapsack.problem import Knapsack
from prunus.knapsack.tuning import DEFAULT, KnapsackTuning
from prunus.model.arrays import AnyArray
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.runtime.stop_token import StopReason


@dataclass(slots=True)
class KnapsackStatistics:
    """What the methods have done; what is None does not apply."""

    states: int = 0
    """States of lists that were made."""
    cells: int = 0
    """Cells of tables that were computed."""
    core: int | None = None
    """Items in the core, or in the lists, that proved the optimum."""
    longest_list: int | None = None
    """States of the longest list then."""
    sums: int | None = None
    counts: int | None = None
    """Sums of group weights, and vectors of counts that were filled."""
    profile: AnyArray | None = None
    """The optimum of every capacity."""

    def known(self) -> dict[str, int | AnyArray]:
        """Return what applies, by name."""
        values = ((name, getattr(self, name)) for name in self.__slots__)
        return {name: value for name, value in values if value is not None}


class SolveState:
    """What every method of a solve works on.

    ``cores`` are the threads of the dense method, ``memory`` the bytes that it may take, by default
    half of what is free. With ``through_host`` several GPUs exchange values through the memory of
    the host.
    """

    def __init__(
        self,
        problem: Knapsack,
        monitor: Monitor,
        cores: int,
        memory: int | None = None,
        gpus: LazyGpus = NO_GPUS,
        through_host: bool = False,
        tuning: KnapsackTuning = DEFAULT,
    ) -> None:
        self.monitor, self.gpus, self.through_host = monitor, gpus, through_host
        self.cores, self._bytes, self.tuning = cores, memory, tuning
        self.capacity = problem.capacity
        self.reduced = Reduced(problem.weights, problem.profits, problem.capacity)
        self.single: Items = self.reduced.items
        self.items = self.single  # or bundles of them
        self.value = -1  # of the best choice among the items
        self.limit = self.items.profit  # no choice is worth more
        self.lattice: Lattice | None = None
        self.complete = False  # not before the end: an interrupt may come at any moment
        self.explored = 0.0
        self.method = "core"
        self.threads = 1
        self.gpu_names: tuple[str, ...] = ()  # of the GPUs that have worked
        self.statistics = KnapsackStatistics()
        self._polled_at = perf_counter()
        best = monitor.incumbent.best
        if best is not None:
            # One whose value is no multiple of the unit is beaten by the next one that is.
            self.value = (int(best.objective) - self.reduced.profit) // self.reduced.unit

    @property
    def memory(self) -> int:
        """Bytes that lists and tables may take; asked for only when it matters."""
        if self._bytes is None:
            self._bytes = usable_memory()
        return self._bytes

    @property
    def memory_known(self) -> int:
        """Bytes that may be taken without asking how many there are."""
        return self.tuning.search.first_bytes if self._bytes is None else self._bytes

    def objective(self, value: int) -> int:
        """Return the total profit for a value of a choice."""
        return self.reduced.profit + self.reduced.unit * value

    def outcome(self) -> Outcome:
        """Say what was found and proven."""
        return Outcome(
            complete=self.complete,
            bound=self.objective(self.value if self.complete else self.limit),
            stop_reason=None if self.complete else self.monitor.stop_token.reason,
            nodes=self.statistics.states,
            explored=self.explored,
            devices=self.gpu_names or (f"cpu:{self.threads}",),
            statistics=self.statistics.known(),
            method=self.method,
        )

    def relaxed(self, items: Items) -> Relaxation:
        """Solve the relaxation of some items; take its bound, and a first choice."""
        relaxation = Relaxation(items)
        self.bound_by(relaxation)
        self.choose_greedily(relaxation)
        return relaxation

    def choose_greedily(self, relaxation: Relaxation, exchanges: int = 1) -> None:
        """Take the best of a few quick choices, if it is better; see `Relaxation.greedy`."""
        choice = relaxation.greedy(self.value, exchanges)
        if choice is not None:
            self.offer(choice, "greedy")

    def offer(self, choice: Choice, source: str) -> None:
        """Take a better choice of items."""
        self.value = choice.value
        solution = self.reduced.expand(self.items, choice)
        self.monitor.incumbent.offer(self.objective(self.value), solution, source)

    def bound(self, limit: int) -> None:
        """Take a value that no choice exceeds."""
        self.limit = max(self.value, min(self.limit, limit))

    def bound_by(self, relaxation: Relaxation) -> None:
        """Take a relaxation's bound, rounded down to what choices can be worth."""
        self.bound(relaxation.limit(self.lattice, self.value))

    @property
    def proven(self) -> bool:
        """Whether no choice is worth more than the best one known."""
        return self.limit <= self.value

    @property
    def stopped(self) -> bool:
        return self.monitor.stop_token.requested

    def stop(self, reason: StopReason) -> None:
        self.monitor.stop_token.request(reason)

    def poll(self, phase: str) -> bool:
        self._polled_at = perf_counter()
        return self.monitor.poll(
            phase,
            bound=self.objective(self.limit),
            explored=self.explored,
            nodes=self.statistics.states,
            active=self.threads,
            explorers=self.threads,
        )

    def should_stop(self, phase: str = "core") -> bool:
        """Poll the monitor if it is time to; return whether to stop."""
        if perf_counter() - self._polled_at < self.tuning.search.poll_interval_s:
            return self.stopped
        return self.poll(phase)

    def look(self, _work: int = 0) -> bool:
        """Tell a kernel whether to stop."""
        return self.should_stop()
