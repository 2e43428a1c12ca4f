"""The method ``beam``: beams of growing width, improved by iterated greedy; no tree search."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from time import sleep
from typing import Any

import numpy as np

from prunus.errors import DeviceError
from prunus.flowshop.beam.improve import BackgroundGreedy
from prunus.flowshop.heuristics.greedy_run import GreedyRun
from prunus.flowshop.objective import Objective
from prunus.hardware import clock
from prunus.hardware.devices import Devices, available_cores, open_gpu
from prunus.hardware.threads import start_task
from prunus.model.arrays import Int64Array
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome
from prunus.treesearch.beam.iterate import iterate_beams
from prunus.treesearch.beam.model import Beam

_log = logging.getLogger(__name__)

_GREEDY, _BEAMS = "iterated greedy", "beam search"
_POLL_S = 0.02
"""Seconds between two questions whether to stop, while only iterated greedy runs."""
_FIRST_POLL_S = 0.002
"""Before the first of them."""


def search(
    objective: Objective, devices: Devices, monitor: Monitor, *, seed: int, root_bound: int
) -> Outcome:
    """Find as good a schedule as the limits allow.

    Without a limit it ends when the widest beam that memory allows has ended. The result is proven
    optimal if it meets the root's bound or if a beam dropped no node. A GPU that fails costs its
    last beam: the cores continue with what it has found.
    """
    incumbent, problem = monitor.incumbent, objective.problem
    evaluated = 0
    seconds = {objective.first: 0.0, _GREEDY: 0.0, _BEAMS: 0.0}
    failures: list[str] = []

    def should_stop() -> bool:
        if background is not None:
            cost, permutation = background.best
            offer(permutation, cost, _GREEDY)
        return monitor.poll("beam search", bound=root_bound) or incumbent.cutoff <= root_bound

    def offer(permutation: Int64Array, cost: int, source: str) -> None:
        best = incumbent.best
        if best is None or cost < best.objective:
            # Plainly: what a device has counted is not believed.
            incumbent.offer(problem.evaluate(permutation), permutation, source)

    def found(permutation: Int64Array, cost: int) -> None:
        offer(permutation, cost, _BEAMS)
        if background is not None:
            background.offer(cost, permutation)

    def between(children: int) -> None:
        nonlocal evaluated
        evaluated += children
        best = incumbent.best
        if background is None and best is not None and not should_stop():
            # On a single core, beams and iterated greedy take turns of the same length.
            began = clock.seconds()
            count = int(children * objective.child_ns / objective.iteration_ns)
            run = objective.greedy(seed + evaluated, 0, best.solution, root_bound)
            _run(run, count, should_stop)
            offer(run.best_permutation, run.best_cost, _GREEDY)
            seconds[_GREEDY] += clock.seconds() - began

    background: BackgroundGreedy | None = None
    start = clock.seconds()
    permutation = objective.first_schedule(lambda: monitor.poll("heuristics", bound=root_bound))
    offer(permutation, problem.evaluate(permutation), objective.first)
    seconds[objective.first] = clock.seconds() - start
    complete = incumbent.cutoff <= root_bound
    if not complete and not monitor.stop_token.requested:
        beam, greedy_threads, name = _beam_on(objective, devices, incumbent.cutoff)
        if greedy_threads:
            background = BackgroundGreedy(
                objective, permutation, threads=greedy_threads, seed=seed, target=root_bound
            )
        iterate = partial(
            iterate_beams,
            cutoff=lambda: incumbent.cutoff,
            should_stop=should_stop,
            on_improvement=found,
            on_beam=between,
            tuning=objective.beam_tuning,
        )
        start = clock.seconds()
        try:
            try:
                complete = iterate(beam)
            except DeviceError as error:
                # What was found stays, and the cores continue.
                failures.append(str(error))
                _log.warning("device lost: %s; the cores continue", error)
                complete = iterate(objective.core_beam(available_cores()))
            seconds[_BEAMS] = clock.seconds() - start - seconds[_GREEDY]
            # The widest beam has ended before the limit.
            while not complete and monitor.limited and background is not None:
                if should_stop() or not background.running:
                    break
                sleep(_POLL_S)
        finally:
            if background is not None:
                background.close()
        if background is not None:
            cost, permutation = background.best  # what was under way has found something, too
            offer(permutation, cost, _GREEDY)
            seconds[_GREEDY] = background.seconds
    else:
        name = devices.words
    complete = complete or incumbent.cutoff <= root_bound
    return Outcome(
        complete=complete,
        bound=incumbent.cutoff if complete else root_bound,
        stop_reason=None if complete else monitor.stop_token.reason,
        explored=float(complete),
        devices=(name,),
        statistics={
            "beam_children": evaluated,
            "portfolio": _figures(seconds, [found.source for found in incumbent.improvements]),
            **({"failures": failures} if failures else {}),
        },
    )


def _run(run: GreedyRun, iterations: int, should_stop: Callable[[], bool]) -> None:
    """Do some iterations; a stop is heard within one of them, which can take seconds."""
    stop, wait = np.zeros(1, np.int8), _FIRST_POLL_S
    task = start_task(run.run, iterations, stop)
    try:
        while task.running and not should_stop():
            task.join(wait)
            wait = min(_POLL_S, 1.5 * wait)
    finally:
        stop[0] = 1
        task.join()
    task.result()


def _figures(seconds: dict[str, float], sources: list[str]) -> dict[str, dict[str, Any]]:
    """Return the seconds and the improvements of each heuristic, by name."""
    return {
        name: {"time": spent, "improvements": sources.count(name)}
        for name, spent in seconds.items()
    }


def _beam_on(objective: Objective, devices: Devices, cutoff: int) -> tuple[Beam, int, str]:
    """Return where beams run, how many threads are left for iterated greedy, and the device.

    Beams use the first GPU. Where it has no kernels for them, they go to the cores.
    """
    if devices.gpus:
        index = devices.gpus[0]
        beam = objective.gpu_beam(lambda: open_gpu(index), cutoff)
        if beam is not None:
            return beam, available_cores(), f"cuda:{index}"
    cores = max(1, devices.cores)
    return objective.core_beam(cores - cores // 2), cores // 2, f"cpu:{cores}"
