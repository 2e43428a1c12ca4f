"""Schedules that beams find, in short and in long numbers, by several threads' pieces."""

import numpy as np

from prunus.flowshop.beam.on_cpu import CpuBeam, CpuBeamTuning
from prunus.flowshop.flowtime.objective import FlowtimeBeam
from prunus.flowshop.problem import FlowShop
from prunus.treesearch.beam.model import Guide


def answers():
    """Return what beams of both objectives find."""
    found = []
    tuning = CpuBeamTuning(chunk_steps=2000)
    for jobs, machines, factor in ((1, 1, 1), (20, 5, 1), (90, 7, 1), (30, 20, 999), (9, 4, 2**34)):
        times = np.random.default_rng(jobs).integers(0, 99, (jobs, machines)) * factor
        problem = FlowShop(times)
        for width, weight in ((1, 0.1), (100, 0.1), (60, 0.0)):
            beams = CpuBeam(problem, 1, tuning), FlowtimeBeam(problem)
            for beam in beams:
                for cutoff in (2**60, 90 * jobs * factor):
                    result = beam.search(width, guide=Guide(weight), cutoff=cutoff)
                    solution = None if result.solution is None else result.solution.tolist()
                    found.append([solution, result.cost, result.complete, result.evaluated])
    return found
