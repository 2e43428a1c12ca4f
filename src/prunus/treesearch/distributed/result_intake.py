"""Results of work units are checked, and count once; what makes no sense is a unit lost."""

from __future__ import annotations

from prunus.errors import DisagreementError
from prunus.hardware.executor import ExecutorEngine
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.distributed.device_sharing import WorkerInfo
from prunus.treesearch.distributed.online_units import OnlineUnits
from prunus.treesearch.distributed.result_checks import checked_result, mistake_in
from prunus.treesearch.distributed.units_out import UnitsOut
from prunus.treesearch.distributed.work_accounting import WorkAccounting
from prunus.treesearch.distributed.work_unit import WorkUnitResult
from prunus.treesearch.distributed.worker_registry import WorkerRegistry
from prunus.treesearch.model import SolutionEvaluator


class ResultIntake:
    """Takes results into the accounting, the incumbent and what is known of workers.

    What makes no sense counts as a failure of the engine, and the registry leaves out workers that
    send too much of it. ``nodes`` and ``leaves`` are those of all results that counted.
    """

    def __init__(
        self,
        engine: ExecutorEngine,
        registry: WorkerRegistry,
        accounting: WorkAccounting,
        out: UnitsOut,
        units: OnlineUnits,
        problem: SolutionEvaluator,
    ) -> None:
        self.nodes = self.leaves = 0
        self._engine, self._registry, self._accounting = engine, registry, accounting
        self._out, self._units, self._problem = out, units, problem

    def take_in(self, ticket: int, value: object, incumbent: Incumbent) -> WorkUnitResult | None:
        """Take in a result, if it is the first one of its unit.

        Raises ``DisagreementError`` if all that any worker says makes no sense: then it is no
        worker that is broken.

        Returns None if it makes no sense.
        """
        worker: WorkerInfo | None = None
        try:
            result = checked_result(value)
            worker = result.worker
            counts = self._settle(ticket, result, incumbent)
        except (ValueError, DisagreementError) as error:
            self._engine.count_as_failed(str(error))
            self._registry.note_bad(worker)
            self.lose(ticket)
            if isinstance(error, DisagreementError) and self._registry.all_bad:
                raise
            return None
        if counts:
            self._out.done(ticket)
            self._units.done(ticket)
            self.nodes += result.nodes
            self.leaves += result.leaves
            self._registry.note(result)
        return result

    def _settle(self, ticket: int, result: WorkUnitResult, incumbent: Incumbent) -> bool:
        """Account for a result; return whether it counts.

        Raises ``ValueError, DisagreementError`` if it makes no sense: then the unit is still out.
        """
        if self._registry.is_left_out(result.worker):
            raise ValueError("too many results of this worker were invalid")
        if result.found is not None:
            objective, solution = result.found
            mistake = mistake_in(self._problem, objective, solution)
            if mistake is not None:
                raise mistake
            incumbent.offer(int(objective), solution, self._engine.name)
        # A proof rests on the incumbent that is known here, whatever a worker was told meanwhile.
        if result.cutoff < incumbent.cutoff:
            raise ValueError(
                f"nodes were pruned with a cutoff of {result.cutoff} where {incumbent.cutoff} is "
                "the best that is known"
            )
        return self._accounting.settle(
            ticket, result.left, result.fathomed, result.bound, result.search_s
        )

    def lose(self, ticket: int) -> None:
        """Open a part again of which nothing came, unless another worker is at it."""
        self._units.done(ticket)
        if not self._out.lose(ticket):
            self._accounting.give_back(ticket)
