"""Local search and beams of a user's problem on GPUs; imported only where there is one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from prunus.custom.costs import CostMonitor, CostProblem
from prunus.custom.gpu.annealing import GpuAnnealing, annealing_program
from prunus.custom.gpu.program import beam_program, translate
from prunus.custom.heuristics.gpu_local_search import GpuLocalSearch
from prunus.errors import InputError
from prunus.hardware.device import Device
from prunus.hardware.devices import warn_of_cpu
from prunus.model.arrays import Int64Array
from prunus.treesearch.beam.gpu.forward import GpuForwardBeam
from prunus.treesearch.beam.iterate import BeamTuning
from prunus.treesearch.portfolio.gpu_beams import beam_runs_on_gpus
from prunus.treesearch.portfolio.gpu_runs import GpuRuns, take_turns


def heuristics_on(
    cards: Sequence[Device],
    costs: CostProblem,
    monitor: CostMonitor,
    seed: int,
    tuning: BeamTuning,
    known: Callable[[], Int64Array | None],
    with_beams: bool,
) -> list[GpuRuns]:
    """Make local search on some GPUs and, if wanted, beams that take turns with it on each.

    ``known`` gives the best solution, which beams follow. There are none if the guide cannot be
    translated for GPUs.
    """
    evaluate, incumbent = costs.evaluate, monitor.incumbent

    def time_left() -> float:
        return monitor.time_left

    try:
        program = beam_program(costs)
    except InputError as error:
        translate(costs)  # if all but the guide can be, the tree is searched there
        warn_of_cpu("beams", error)
        return []
    seeds = range(abs(seed), abs(seed) + len(cards))
    beams = [
        GpuForwardBeam(program, card, known, seed) for card, seed in zip(cards, seeds, strict=True)
    ]
    beam_runs = beam_runs_on_gpus(beams, evaluate, incumbent, tuning, time_left)
    annealing = annealing_program(program)
    runs: list[GpuRuns] = []
    for beam_run, card, seed in zip(beam_runs, cards, seeds, strict=True):
        card.begin_compiling(annealing.file, annealing.constants)
        make = partial(GpuAnnealing, annealing, card, seed)
        some: list[GpuRuns] = [GpuLocalSearch(evaluate, incumbent, make, time_left)]
        if with_beams:
            some.append(beam_run)
        take_turns(some)
        runs += some
    return runs
