"""What a beam search orders nodes by: the lower bound, made larger by idle time.

With B the lower bound of a child, I the sum over the machines of the share of idle time so far, at
the head and at the tail, and α the share of jobs that are fixed, the least values are kept of

``B (1 + w (1 − α) I)``.

Idle time on the machines that a job of the side comes to first keeps all the others waiting: with a
slant s, machine k of m counts 1 + s (1 − k/m)² times, in fours of machines, all of them together m
times. Of shops with 40 and 60 machines and at most five jobs on each, some want s = 2.5, some
none; with 60 machines and up to nine jobs s = 0.7 is best, which narrow beams do not tell; with
more jobs, or 20 machines, none is.

An early level looks at idle time, a late one at the bound. How much idle time counts, the weight w,
depends on the shop: the more jobs a machine has, the nearer the makespan is to the machine's load,
and the less; wide beams want less of it than narrow ones. Beams tell which weight suits an instance
(``treesearch/beam/iterate.py``): of 20 machines .2 to .05 with 50 jobs, .1 to .03 with 100, .01
with 200 and .001 with 500. The guides of
Libralesso, Focke, Secardin and Jost (2022) are two points of the same line, or nearly: their
``walpha`` is a large weight, their ``gap`` orders by the bound, and of equal bounds by idle time.

While a side is empty, all of its machines' time counts as idle. Otherwise one side would be filled
before the other is begun, since the idle time of one side is less than that of two; and with such
nodes taken last of all, as published, shops where the first jobs have few children on one side have
nothing to be ordered by.
"""

from __future__ import annotations

import math

import numpy as np

from prunus.model.arrays import AnyArray
from prunus.treesearch.beam.iterate import BeamTuning
from prunus.treesearch.beam.model import Guide

WEIGHTS = (0.0005, 0.002, 0.008, 0.032, 0.128, 0.512, 2.048)
"""Weights of idle time among which narrow beams choose; what lies between is looked at later."""
_LIKELY = ((7, 0.1), (14, 0.008), (math.inf, 0.001))
"""With at most so many jobs on each of few machines beams try first what is near this weight."""

MANY_MACHINES, _FEW_JOBS_A_MACHINE = 30, 5
_LARGE_WEIGHTS, _SLANT, _OTHER_SLANTS = (0.2, 0.8, 0.05), 0.7, (0.0, 2.5)
"""With so many machines and at most so many jobs on each these weights are compared, first with
that slant, and then with these."""
_MANY_MACHINES_WEIGHTS, _MANY_JOBS_WEIGHTS = (0.128, 0.512, 0.032), (0.032, 0.128, 0.008)
"""With more jobs on each these, and with many."""
_VERY_MANY_MACHINES, _NOT_SO_FEW_JOBS_A_MACHINE = 50, 9
"""With so many machines and at most so many jobs on each, but not so few, that slant is taken."""
_SOME_JOBS_A_MACHINE, _COMPARED_SHARE = 14, 0.2
"""With so many machines and at most so many jobs on each a wide beam is worth more than the best of
some weights; otherwise less."""


def tuning_for(jobs: int, machines: int) -> BeamTuning:
    """Return what beams of a shop of that size compare."""
    if machines < MANY_MACHINES:
        likely = next(weight for most, weight in _LIKELY if jobs <= most * machines)
        return BeamTuning(tuple(sorted(WEIGHTS, key=lambda w: abs(math.log(w / likely)))))
    if jobs > _SOME_JOBS_A_MACHINE * machines:
        return BeamTuning(_MANY_JOBS_WEIGHTS)
    if jobs > _FEW_JOBS_A_MACHINE * machines:
        slanted = machines >= _VERY_MANY_MACHINES and jobs <= _NOT_SO_FEW_JOBS_A_MACHINE * machines
        slant = _SLANT if slanted else 0.0
        return BeamTuning(_MANY_MACHINES_WEIGHTS, slant=slant, compared_share=_COMPARED_SHARE)
    return BeamTuning(
        _LARGE_WEIGHTS,
        tuple(Guide(weight, slant) for slant in _OTHER_SLANTS for weight in _LARGE_WEIGHTS),
        slant=_SLANT,
        neighbours=(1.0, 0.7, 1.4),
        compared_share=_COMPARED_SHARE,
    )


def in_fours(machines: int) -> AnyArray:
    """Return how many machines each four has: the last may have fewer."""
    return np.minimum(4, machines - np.arange(0, machines, 4))


def emphasis(fours: AnyArray, slant: float) -> AnyArray:
    """Return how many times idle time counts on each four machines, float32.

    In the order in which a job of the side comes to them.
    """
    counted = 1 + slant * np.linspace(1, 0, fours.size) ** 2
    return np.asarray(counted * fours.sum() / (counted * fours).sum(), np.float32)
