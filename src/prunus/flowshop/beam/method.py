"""The method ``beam``: beams of growing width, improved by iterated greedy; no tree search."""

from __future__ import annotations

import logging
from collections.abc import Callable
from time import sleep

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
    return _Solve(objective, monitor, seed, root_bound).run(devices)


class _Solve:
    """A first schedule, then beams with iterated greedy beside them or between them."""

    def __init__(self, objective: Objective, monitor: Monitor, seed: int, root_bound: int) -> None:
        self._objective, self._monitor = objective, monitor
        self._incumbent, self._heuristics = monitor.incumbent, monitor.heuristics
        self._seed, self._root_bound = seed, root_bound
        self._background: BackgroundGreedy | None = None
        self._evaluated, self._between_s = 0, 0.0
        self._failures: list[str] = []

    def run(self, devices: Devices) -> Outcome:
        objective, monitor, bound = self._objective, self._monitor, self._root_bound
        with self._heuristics.timing(objective.first):
            first = objective.first_schedule(lambda: monitor.poll("heuristics", bound=bound))
            self._offer(first, objective.problem.evaluate(first), objective.first)
        complete, name = False, devices.words
        if not self._proven and not monitor.stop_token.requested:
            beam, greedy_threads, name = _beam_on(objective, devices, self._incumbent.cutoff)
            if greedy_threads:
                self._background = BackgroundGreedy(
                    objective, first, threads=greedy_threads, seed=self._seed, target=bound
                )
            complete = self._improve(beam)
        complete = complete or self._proven
        return Outcome(
            complete=complete,
            bound=self._incumbent.cutoff if complete else bound,
            stop_reason=None if complete else monitor.stop_token.reason,
            explored=float(complete),
            devices=(name,),
            statistics={
                "beam_children": self._evaluated,
                **({"failures": self._failures} if self._failures else {}),
            },
        )

    @property
    def _proven(self) -> bool:
        return self._incumbent.cutoff <= self._root_bound

    def _improve(self, beam: Beam) -> bool:
        """Improve the first schedule; return whether a beam dropped nothing."""
        background, began = self._background, clock.seconds()
        try:
            try:
                complete = self._iterate(beam)
            except DeviceError as error:
                # What was found stays, and the cores continue.
                self._failures.append(str(error))
                _log.warning("device lost: %s; the cores continue", error)
                complete = self._iterate(self._objective.core_beam(available_cores()))
            self._heuristics.add(_BEAMS, clock.seconds() - began - self._between_s)
            # The widest beam has ended before the limit.
            while not complete and self._monitor.limited and background is not None:
                if self._should_stop() or not background.running:
                    break
                sleep(_POLL_S)
        finally:
            if background is not None:
                background.close()
        self._look_beside()  # what was under way has found something, too
        self._heuristics.add(_GREEDY, self._between_s if background is None else background.seconds)
        return complete

    def _iterate(self, beam: Beam) -> bool:
        return iterate_beams(
            beam,
            cutoff=lambda: self._incumbent.cutoff,
            should_stop=self._should_stop,
            on_improvement=self._found,
            on_beam=self._between_beams,
            tuning=self._objective.beam_tuning,
        )

    def _should_stop(self) -> bool:
        self._look_beside()
        return self._monitor.poll("beam search", bound=self._root_bound) or self._proven

    def _look_beside(self) -> None:
        if self._background is not None:
            cost, permutation = self._background.best
            self._offer(permutation, cost, _GREEDY)

    def _offer(self, permutation: Int64Array, cost: int, source: str) -> None:
        best = self._incumbent.best
        if best is None or cost < best.objective:
            # Plainly: what a device has counted is not believed.
            plain = self._objective.problem.evaluate(permutation)
            self._incumbent.offer(plain, permutation, source)

    def _found(self, permutation: Int64Array, cost: int) -> None:
        self._offer(permutation, cost, _BEAMS)
        if self._background is not None:
            self._background.offer(cost, permutation)

    def _between_beams(self, children: int) -> None:
        """On a single core, beams and iterated greedy take turns of the same length."""
        self._evaluated += children
        objective, best = self._objective, self._incumbent.best
        if self._background is None and best is not None and not self._should_stop():
            began = clock.seconds()
            count = int(children * objective.child_ns / objective.iteration_ns)
            seed = self._seed + self._evaluated
            run = objective.greedy(seed, 0, best.solution, self._root_bound)
            _run(run, count, self._should_stop)
            self._offer(run.best_permutation, run.best_cost, _GREEDY)
            self._between_s += clock.seconds() - began


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
