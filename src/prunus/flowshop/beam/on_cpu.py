"""Beam search on cores: the nodes of a level are shared out among threads.

Of a hundred children one is kept or none. Which may be, some nodes tell that are rated first, so
that the others are left early (``cores/rating.py``); when it turns out to have been too few, the
level is rated once more. So the same are kept as without.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from prunus.flowshop.beam.cores.descent import MADE_TOGETHER, Made
from prunus.flowshop.beam.cores.rater import Rater, kept_by
from prunus.flowshop.beam.cores.rating import Aim, rate_children
from prunus.flowshop.beam.cores.tables import (
    Level,
    Shop,
    empty_level,
    filled,
    jobs_left,
    of_some_jobs,
    shop_and_root,
)
from prunus.flowshop.cpu.tree import path_to_schedule
from prunus.flowshop.problem import FlowShop
from prunus.hardware.memory import usable_memory
from prunus.model.arrays import AnyArray
from prunus.treesearch.beam.core_beam import CoreBeam, Levels
from prunus.treesearch.beam.level_times import Widths
from prunus.treesearch.beam.model import BeamResult, Guide
from prunus.treesearch.beam.select import least_keys


@dataclass(frozen=True, slots=True)
class CpuBeamTuning:
    """Settings of beams on cores."""

    chunk_steps: int = 2_000_000
    """Machine steps (children x machines) of a chunk, some milliseconds: between two chunks a
    thread can be stopped."""
    widest: int = 2**20
    """Nodes a level, whatever the memory."""
    memory_share: float = 0.5
    """Of the memory there is, so much may be used."""
    least_room: int = 2048
    """A thread has room for so many children beside those that it keeps, or for as many."""
    sampled: int = 8
    """One of so many nodes is rated before the others, to know which children may be kept."""
    sample_factor: float = 2.0
    sample_least: int = 8
    """So many times as many are allowed for as their best ones let expect, and so many more."""
    compact_share: float = 0.9
    """Tables are made anew where only this part of their jobs is left."""


TUNING = CpuBeamTuning()


class _Rating(NamedTuple):
    """What it takes to rate the children of a level's nodes, see ``rate_children``."""

    shop: Shop
    level: Level
    aim: Aim
    at_tail: AnyArray


_Pieces: TypeAlias = tuple[int, int, Callable[[int, int], None]]


class CpuBeam(CoreBeam):
    """Beam search of one instance on cores.

    The result does not depend on the number of threads.
    """

    def __init__(self, problem: FlowShop, threads: int = 1, tuning: CpuBeamTuning = TUNING) -> None:
        super().__init__(threads)
        self._problem = problem
        self._jobs, self._machines = problem.jobs, problem.machines
        self._tuning = tuning
        self._chunk = max(1, tuning.chunk_steps // (problem.machines * problem.jobs))

    @property
    def widest(self) -> int:
        jobs, machines = self._jobs, self._machines
        # Two levels, candidates, and what leads to each node of all levels.
        node: int = 2 * (4 * machines * 8 + jobs + 8) + 4 * 12 * self._threads.cores + 6 * jobs
        fitting = usable_memory(self._tuning.memory_share) // node
        return max(1, min(self._tuning.widest, fitting))

    def _levels(self, widths: Widths, guide: Guide, cutoff: int) -> Levels:
        # No schedule takes longer than all operations one after the other.
        cutoff = min(cutoff, int(self._problem.processing_times.sum()) + 1)
        shop, level = shop_and_root(self._problem, cutoff, guide.slant)
        jobs, evaluated, complete = self._jobs, 0, True
        machines, kind = shop.totals.shape[1], shop.totals.dtype.type
        columns = np.arange(filled(jobs))
        history: list[tuple[AnyArray, AnyArray]] = []
        threads = range(self._threads.cores)
        raters: list[Rater] = []
        for fixed in range(jobs):
            nodes, width = len(level.free), widths(fixed)
            left = jobs_left(level)
            if left.size <= self._tuning.compact_share * columns.size:
                shop, level = of_some_jobs(shop, level, left)
                columns, raters = columns[left], []
            if not raters or width > raters[0].most:
                raters = [
                    Rater(columns.size, machines, kind, width, self._tuning.least_room)
                    for _ in threads
                ]
            at_tail = np.empty(nodes, np.uint8)
            aim = Aim(kind(cutoff), np.float32(guide.weight * (jobs - fixed - 1) / jobs))
            rating = _Rating(shop, level, aim, at_tail)
            keys, places = yield from self._rated(rating, raters, width, jobs - fixed)
            evaluated += nodes * (jobs - fixed)
            in_order = np.argsort(places)
            keys, places = keys[in_order], places[in_order]
            kept, dropped = least_keys(keys, width)
            complete = complete and not (dropped or any(rater.dropped for rater in raters))
            if kept.size == 0:
                return BeamResult(None, None, complete, evaluated)
            parents, job = np.divmod(places[kept], columns.size)
            children = empty_level(len(kept), columns.size, machines, kind)
            made = Made(shop, level, at_tail, parents, job, children)
            yield -(-len(kept) // MADE_TOGETHER), 0, made.piece
            history.append(
                (parents.astype(np.int32), (columns[job] * 2 + at_tail[parents]).astype(np.uint16))
            )
            level = children
        makespans = (level.free[:, 0].astype(np.int64) + level.free[:, 1, ::-1]).max(1)
        node = int(makespans.argmin())
        makespan = int(makespans[node])
        return BeamResult(_schedule(history, node), makespan, complete, evaluated)

    def _rated(
        self, rating: _Rating, raters: list[Rater], width: int, free: int
    ) -> Generator[_Pieces, None, tuple[AnyArray, AnyArray]]:
        """Rate the children of a level; return the keys and places of all that may be kept.

        Some nodes come first: what is the worst that is kept of their children, is it nearly of
        all. Should it turn out to be less, all are rated once more.
        """
        nodes, tuning = rating.at_tail.size, self._tuning
        at_first = np.arange(nodes) % tuning.sampled == tuning.sampled // 2
        first, others = np.flatnonzero(at_first), np.flatnonzero(~at_first)

        def parts(*several: AnyArray) -> Iterator[_Pieces]:
            for some in several:
                if some.size:
                    rate = partial(self._rate, rating, raters, some)
                    yield -(-some.size // self._chunk), some.size * free, rate

        for rater in raters:
            rater.width = width
            rater.begin()
        yield from parts(first)
        keys, _ = kept_by(raters)
        place = int(tuning.sample_factor * width * first.size / nodes) + tuning.sample_least
        if keys.size > place:
            last = np.partition(keys, place)[place]
            for rater in raters:
                rater.leave_out_above(last)
            yield from parts(others)
            keys, places = kept_by(raters)
            dropped = keys.size > width or any(rater.dropped for rater in raters)
            if dropped and (keys <= last).sum() >= width:
                return keys, places
            for rater in raters:
                rater.begin()
            yield from parts(first)
        yield from parts(others)
        return kept_by(raters)

    def _rate(
        self, rating: _Rating, raters: list[Rater], nodes: AnyArray, piece: int, thread: int
    ) -> None:
        """Rate the children of a piece of some nodes, in one thread."""
        rater = raters[thread]
        shop, level, aim, at_tail = rating
        left = nodes[piece * self._chunk : (piece + 1) * self._chunk]
        while left.size:
            # What one thread has no use for, no other has.
            last = min(each.last for each in raters)
            left = left[
                rate_children(level, shop, aim, left, last, rater.lines, rater.kept, at_tail) :
            ]
            if left.size:
                rater.drop()


def _schedule(history: list[tuple[AnyArray, AnyArray]], node: int) -> AnyArray:
    """Return the schedule of a node of the last level, from each level's parents and jobs."""
    path = np.empty(len(history), np.int64)
    for place, (parents, jobs) in reversed(list(enumerate(history))):
        path[place] = jobs[node]
        node = int(parents[node])
    return path_to_schedule(path >> 1, path & 1)
