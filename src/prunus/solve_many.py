"""Many problems at once: each is solved by one worker, and the results form one table."""

from __future__ import annotations

import html
import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from prunus.errors import DeviceError, InputError, OptionError, PrunusError
from prunus.hardware.devices import available_cores
from prunus.model.problem import Problem
from prunus.model.registry import spec_of
from prunus.model.scalar import truth
from prunus.result import Result
from prunus.runtime.interrupts import Interrupts
from prunus.runtime.limits import check_seconds
from prunus.runtime.progress import Progress
from prunus.runtime.stop_token import TIME_LIMIT, StopToken
from prunus.solve import solve
from prunus.view import text
from prunus.view.many import as_table, counting

if TYPE_CHECKING:
    from prunus.hardware.executor import CallOutcome, ExecutorEngine

TRIES = 3
"""How often a problem is given to a worker whose executor fails."""

LOOK_S = 0.1
"""Seconds between two looks at Ctrl-C and the time."""


@dataclass(frozen=True, slots=True, repr=False)
class Results(Sequence[Result | None]):
    """The results of many problems, in their order. It prints as a table with a line for each.

    Attributes
    ----------
    problems
        The problems.
    results
        The result of each problem, or None if there is none.
    errors
        Why there is no result, by the index of the problem: an error of the problem or of its
        worker.
    runtime
        Seconds for all problems together.
    stopped_by
        ``"time limit"`` or ``"interrupt"`` if some problems were not started, otherwise None.
    """

    problems: tuple[Problem, ...]
    results: tuple[Result | None, ...]
    errors: Mapping[int, PrunusError] = field(default_factory=dict)
    runtime: float = 0.0
    stopped_by: str | None = None

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, index: Any) -> Any:
        """Return a problem's result, or those of a slice."""
        return self.results[index]

    def __iter__(self) -> Iterator[Result | None]:
        return iter(self.results)

    def __str__(self) -> str:
        return as_table(self.problems, self.results, self.errors, self.runtime, self.stopped_by)

    def __repr__(self) -> str:
        solved = sum(result is not None for result in self.results)
        return f"Results({solved} of {len(self)} problems, runtime={text.seconds(self.runtime)})"

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def solve_many(
    problems: Iterable[Problem],
    *,
    executor: Any = None,
    devices: str | Sequence[str] = "cpu:1",
    time_limit: float | None = None,
    total_time_limit: float | None = None,
    display: bool | None = None,
    on_result: Callable[[int, Result], None] | None = None,
    **options: Any,
) -> Results:
    """Solve many problems, each on one worker.

    For one large problem, call `prunus.solve` with an executor, which uses all workers. This
    function is for many problems that a core or a GPU can each solve alone.

    Parameters
    ----------
    problems
        Instances, of one class or of several.
    executor
        A ``concurrent.futures.Executor``, a Dask client, or a function that returns an executor,
        as for `prunus.solve`. Without one, threads on the cores of this machine are used.
    devices
        The devices that a worker uses for a problem; one core by default.
    time_limit
        Seconds for each problem.
    total_time_limit
        Seconds for all problems together. At the limit, problems that are being solved end with
        their best solution, and the others are not started.
    display
        True shows on standard error how many problems are done, if that is a terminal. The
        default is off.
    on_result
        Called in this thread with the index and the result of each problem, in the order in which
        they finish.
    **options
        All other arguments of `prunus.solve`, except checkpoints and callbacks.

    Returns
    -------
    Results
        In the order of the problems, also after Ctrl-C. An error in one problem is reported in
        ``errors`` and does not stop the others.

    Raises
    ------
    InputError
        If ``problems`` is no sequence of problems.
    PrunusError
        The error of the first problem, if all have failed: an option is invalid, say, an extra is
        missing, or the executor breaks before anything is solved.
    """
    # Sockets and processes: nobody else needs them.
    from concurrent.futures import ThreadPoolExecutor

    from prunus.hardware.executor import ExecutorEngine

    shown = display is not None and truth("display", display)
    for name, limit in (("time_limit", time_limit), ("total_time_limit", total_time_limit)):
        if limit is not None:
            check_seconds(name, limit)
    for name in ("checkpoint", "resume", "on_incumbent", "initial_solution", "stop"):
        if name in options:
            raise OptionError(name, "is for prunus.solve; solve_many does not take it")
    if not isinstance(problems, Iterable):
        raise InputError(
            "solve_many takes a sequence of problems, not one; prunus.solve solves a single one"
        )
    batch = _Batch(tuple(problems), {"devices": devices, **options}, time_limit, on_result)
    for problem in batch.problems:
        spec_of(problem)
    local = executor is None
    token = StopToken()
    engine = ExecutorEngine(partial(ThreadPoolExecutor, available_cores()) if local else executor)
    with Interrupts() as interrupts, counting(len(batch.problems), enabled=shown) as show:
        interrupts.connect(token)
        try:
            batch.run(engine, interrupts, token, total_time_limit, show, local=local)
        finally:
            engine.close()
    return batch.summary(token)


def _solve_one(
    problem: Problem, options: Mapping[str, Any], token: StopToken | None = None
) -> Result | PrunusError:
    """Solve a problem, in a worker; return what is wrong with it instead of raising it."""

    def stop(progress: Progress) -> bool:
        return token is not None and token.requested

    try:
        if token is None:
            return solve(problem, **options)
        return solve(problem, stop=stop, **options)
    except PrunusError as error:
        return error


class _Batch:
    """The problems, what is known of each, and which are to be done."""

    def __init__(
        self,
        problems: tuple[Problem, ...],
        options: dict[str, Any],
        time_limit: float | None,
        on_result: Callable[[int, Result], None] | None,
    ) -> None:
        self.problems = problems
        self._options, self._time_limit, self._on_result = options, time_limit, on_result
        self._results: list[Result | None] = [None] * len(problems)
        self._errors: dict[int, PrunusError] = {}
        self._tries = [0] * len(problems)
        self._open = list(range(len(problems)))[::-1]
        self._runtime = 0.0

    def run(
        self,
        engine: ExecutorEngine,
        interrupts: Interrupts,
        token: StopToken,
        total_time_limit: float | None,
        show: Callable[[int], None],
        *,
        local: bool,
    ) -> None:
        """Solve them all, or as many as there is time for."""
        began = engine.now()
        end = float("inf") if total_time_limit is None else began + total_time_limit
        while (self._open and not token.requested) or len(engine):
            while self._open and len(engine) < 2 * engine.workers and not token.requested:
                if engine.now() >= end or not self._send(engine, end, token if local else None):
                    break
            self._take_in(engine.collect(min(LOOK_S, max(0.0, end - engine.now()) or LOOK_S)))
            show(len(self.problems) - len(self._open) - len(engine))
            if engine.now() >= end:
                token.request(TIME_LIMIT)
            interrupts.acknowledge()
            if token.requested:
                engine.cancel_queued(engine.workers)
                if interrupts.requested and not local:
                    break  # others cannot be told
            if engine.broken is not None:
                self._open.clear()
        if engine.broken is not None:
            self._break(engine.broken)
        self._runtime = engine.now() - began

    def _send(self, engine: ExecutorEngine, end: float, token: StopToken | None) -> bool:
        """Give the next problem to a worker; return whether it was taken."""
        place = self._open.pop()
        limits = [self._time_limit, None if end == float("inf") else end - engine.now()]
        known = [limit for limit in limits if limit is not None]
        options = {**self._options, "time_limit": min(known)} if known else self._options
        self._tries[place] += 1
        try:
            if token is None:
                pickle.dumps(self.problems[place])
            return engine.submit(place, _solve_one, self.problems[place], options, token)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            self._errors[place] = InputError(f"it cannot be sent to a worker: {error}")
            return True

    def _take_in(self, heard: list[CallOutcome]) -> None:
        for one in heard:
            value = one.value
            if isinstance(value, Result):
                self._results[one.tag] = value
                if self._on_result is not None:
                    self._on_result(one.tag, value)
            elif isinstance(value, PrunusError):
                self._errors[one.tag] = value
            elif self._tries[one.tag] < TRIES:
                self._open.append(one.tag)
            else:
                from prunus.hardware.executor import reason

                why = reason(one.error) if one.error else f"it returned {type(value).__name__}"
                self._errors[one.tag] = DeviceError(f"a worker failed {TRIES} times: {why}")

    def _break(self, why: str) -> None:
        """Say why there are no more results: the executor took nothing more."""
        if not any(self._results):
            raise DeviceError(f"executor: no worker can solve; {why}")
        for place, result in enumerate(self._results):
            if result is None:
                self._errors.setdefault(place, DeviceError(f"the executor broke: {why}"))

    def summary(self, token: StopToken) -> Results:
        """Return what is known; raise the first error if all problems have failed."""
        if self._errors and len(self._errors) == len(self.problems):
            raise self._errors[0]
        left = any(
            result is None and place not in self._errors
            for place, result in enumerate(self._results)
        )
        stopped = token.reason.text if token.reason is not None and left else None
        return Results(
            self.problems, tuple(self._results), dict(self._errors), self._runtime, stopped
        )
