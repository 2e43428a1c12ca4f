"""Beam search on cores: the nodes of a level are shared out among threads.

Of the children of a node one is kept or none. What a child is ordered by grows with each machine
that is passed, so a block of children is left as soon as none of them may be kept. Which those are,
some nodes tell that are rated first; when it turns out to have been too few, the level is rated
once more. So the same are kept as without.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from prunus.flowshop.beam.guides import emphasis, in_fours
from prunus.flowshop.bounds.johnson import heads_and_tails
from prunus.flowshop.cpu.tree import path_to_schedule
from prunus.flowshop.problem import FlowShop
from prunus.hardware.jit.compiled import inner, outer
from prunus.hardware.memory import usable_memory
from prunus.model.arrays import AnyArray
from prunus.treesearch.beam.core_beam import CoreBeam, Levels
from prunus.treesearch.beam.level_times import Widths
from prunus.treesearch.beam.model import BeamResult, Guide
from prunus.treesearch.beam.select import least_keys
from prunus.treesearch.interval.cpu.aligned import aligned_copy, aligned_zeros


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
_BLOCK = 64
"""Jobs that are rated side by side."""
_TOGETHER = 8
"""Nodes that are rated side by side."""
_MADE_TOGETHER = 1024
"""Nodes of the next level that a thread makes at a time."""
_CHECKED = 2
"""After so many times four machines it is asked whether a block may have something to be kept."""


class Level(NamedTuple):
    """The nodes of a level, one a row; of both sides, the machines of the tail from the last."""

    free: AnyArray
    """(nodes, 2, machines): when a machine is free after head or tail (at the root, the least)."""
    work: AnyArray
    """(nodes, 2, machines): the work of head and tail."""
    fixed: AnyArray
    """(nodes, jobs) uint8: 1 where a job is fixed."""
    idle: AnyArray
    """(nodes, 2) float32: the share of idle time of head and tail, summed over the machines."""


class Shop(NamedTuple):
    """What is the same for all nodes; of both sides, the machines of the tail from the last.

    Machines are passed in fours, jobs in blocks: there are machines that take no time, and jobs
    that are fixed from the beginning.
    """

    times: AnyArray
    """(2, blocks, fours, 4 x jobs of a block) processing times."""
    lengths: AnyArray
    """The same times ``scale``, float32."""
    longest: AnyArray
    """(2, machines) float32: the longest of each machine, times ``scale``."""
    totals: AnyArray
    """(2, machines): work of all jobs."""
    scale: np.float32
    """So small that products of four times are no larger than what 32 bits can hold."""
    one: AnyArray
    """(2, machines) float32: 1, 0 for machines that take no time."""
    emphasis: AnyArray
    """(2, fours) float32: how many times idle time counts, see ``guides.emphasis``."""
    unreal: AnyArray
    """(2,) float32: what machines that take no time count."""


class Aim(NamedTuple):
    """What a level's children are rated by."""

    cutoff: int
    weight: np.float32
    """Of idle time, at this level."""


class _Rating(NamedTuple):
    """What it takes to rate the children of a level's nodes, see ``_evaluate``."""

    shop: Shop
    level: Level
    aim: Aim
    at_tail: AnyArray


class Lines(NamedTuple):
    """A thread's scratch memory."""

    bounds: AnyArray
    """(nodes, 2, blocks, 2 x jobs of a block): bounds, and when the job leaves the last machine."""
    loads: AnyArray
    """(nodes, 2, machines): what comes after a machine is free."""
    free: AnyArray
    """(nodes, machines) float32: when machines are free, on the side that is taken."""
    done: AnyArray
    """The same: how much they have done."""
    least: AnyArray
    """The same: the least share of idle time from a machine on, and of the other side."""
    idle: AnyArray
    """(2 x jobs of a block,) float32: idle time, and when the job leaves the last machine."""
    length: AnyArray
    """(jobs of a block,) float32: the bound, infinite for what is no child."""


class Kept(NamedTuple):
    """The children that may be kept of those that a thread has rated, in order."""

    keys: AnyArray
    places: AnyArray
    """(candidates,): node times jobs plus job."""
    number: AnyArray
    """(1,)"""


def _level(nodes: int, jobs: int, machines: int, kind: type) -> Level:
    """Make room for the nodes of a level."""
    rows: list[AnyArray] = [np.empty((nodes, 2, machines), kind) for _ in range(2)]
    free, work = rows
    fixed, idle = (
        np.empty((nodes, jobs // _BLOCK, _BLOCK), np.uint8),
        np.empty((nodes, 2), np.float32),
    )
    return Level(free, work, fixed, idle)


@inner
def _bound(row: AnyArray, free_at: AnyArray, load: AnyArray, i: int, bound: AnyArray) -> None:
    """Pass four machines to bound the jobs of a block as the next ones of a side.

    Its machines are free at ``free_at``, and ``load`` is what comes after that at least.
    """
    kind = bound.dtype.type  # sums of two would be 64 bits wide, and half as many at a time
    free0, free1, free2, free3 = free_at[i], free_at[i + 1], free_at[i + 2], free_at[i + 3]
    left0, left1, left2, left3 = load[i], load[i + 1], load[i + 2], load[i + 3]
    for j in range(_BLOCK):
        time = bound[_BLOCK + j]
        start0 = time if time > free0 else free0
        time0 = kind(start0 + row[j])
        start1 = time0 if time0 > free1 else free1
        time1 = kind(start1 + row[_BLOCK + j])
        start2 = time1 if time1 > free2 else free2
        time2 = kind(start2 + row[2 * _BLOCK + j])
        start3 = time2 if time2 > free3 else free3
        bound[_BLOCK + j] = kind(start3 + row[3 * _BLOCK + j])
        end0, end1 = kind(start0 + left0), kind(start1 + left1)
        end2, end3 = kind(start2 + left2), kind(start3 + left3)
        end0 = end0 if end0 > end1 else end1
        end2 = end2 if end2 > end3 else end3
        end0 = end0 if end0 > end2 else end2
        bound[j] = end0 if end0 > bound[j] else bound[j]


@inner
def _add_idle(
    row: AnyArray, free_at: AnyArray, done: AnyArray, i: int, counts: np.float32, idle: AnyArray
) -> None:
    """Add the shares of idle time of four machines, which count so many times, for a block's jobs.

    All times are one later: nothing is divided by zero. Four fractions take one division.
    """
    free0, free1, free2, free3 = free_at[i], free_at[i + 1], free_at[i + 2], free_at[i + 3]
    done0, done1, done2, done3 = done[i], done[i + 1], done[i + 2], done[i + 3]
    for j in range(_BLOCK):
        until = idle[_BLOCK + j]
        start0 = until if until > free0 else free0
        until0 = start0 + row[j]
        start1 = until0 if until0 > free1 else free1
        until1 = start1 + row[_BLOCK + j]
        start2 = until1 if until1 > free2 else free2
        until2 = start2 + row[2 * _BLOCK + j]
        start3 = until2 if until2 > free3 else free3
        until3 = start3 + row[3 * _BLOCK + j]
        idle[_BLOCK + j] = until3
        waited01 = (start0 - done0) * until1 + (start1 - done1) * until0
        waited23 = (start2 - done2) * until3 + (start3 - done3) * until2
        until01, until23 = until0 * until1, until2 * until3
        # As a ufunc, a division is not checked for zeros.
        waited = waited01 * until23 + waited23 * until01
        idle[j] += counts * np.divide(waited, until01 * until23)


@inner
def _some_may_be_kept(
    length: AnyArray, idle: AnyArray, rest: np.float32, weight: np.float32, last: np.float32
) -> bool:
    """Return whether a key may be no larger than ``last``, with ``rest`` more idle time."""
    some = False
    for j in range(_BLOCK):
        some |= length[j] + weight * (idle[j] + rest) * length[j] <= last
    return some


@inner
def _choose_side(fixed: AnyArray, bounds: AnyArray, cutoff: int) -> int:
    """Return the side with fewer children; if there are as many, that with the larger bounds."""
    more = 0
    difference = 0
    for block in range(fixed.shape[0]):
        some, head, tail = fixed[block], bounds[0, block], bounds[1, block]
        for j in range(_BLOCK):
            if some[j] == 0:
                if head[j] < cutoff:
                    more += 1
                    difference += head[j]
                if tail[j] < cutoff:
                    more -= 1
                    difference -= tail[j]
    return 0 if more < 0 or (more == 0 and difference >= 0) else 1


@outer
def _evaluate(
    level: Level,
    shop: Shop,
    aim: Aim,
    nodes: AnyArray,
    last: np.float32,
    lines: Lines,
    kept: Kept,
    at_tail: AnyArray,
) -> int:
    """Rate the children of some nodes.

    Those with keys up to ``last`` are added to ``kept``; returned is for how many nodes there was
    room. Written is ``at_tail``, (nodes,), 1 where children are fixed at the tail. Several nodes at
    a time pass the times of a block, which stay in the fastest cache.
    """
    blocks, machines = shop.times.shape[1], shop.totals.shape[1]
    one = np.float32(1)
    # Sums are made in another order, and so are not quite the same.
    nearly = last * np.float32(1 + 1e-5)
    length, idle = lines.length, lines.idle
    count = kept.number[0]
    for first in range(0, nodes.size, _TOGETHER):
        if count + _TOGETHER * blocks * _BLOCK > kept.keys.size:
            kept.number[0] = count
            return first
        together = min(_TOGETHER, nodes.size - first)
        for n in range(together):
            node = nodes[first + n]
            for side in range(2):
                for i in range(machines):
                    k = machines - 1 - i
                    work = level.work[node, side, i] + level.work[node, 1 - side, k]
                    after = level.free[node, 1 - side, k]
                    lines.loads[n, side, i] = shop.totals[side, i] - work + after
        for block in range(blocks):
            for side in range(2):
                for n in range(together):
                    bound = lines.bounds[n, side, block]
                    for j in range(2 * _BLOCK):
                        bound[j] = 0
            # A job's next machine has to wait for the one before: meanwhile there are other nodes.
            for four in range(machines // 4):
                for side in range(2):
                    row = shop.times[side, block, four]
                    for n in range(together):
                        free, load = level.free[nodes[first + n], side], lines.loads[n, side]
                        _bound(row, free, load, 4 * four, lines.bounds[n, side, block])
        for n in range(together):
            node = nodes[first + n]
            side = _choose_side(level.fixed[node], lines.bounds[n], aim.cutoff)
            at_tail[node] = side
            free, done, least = lines.free[n], lines.done[n], lines.least[n]
            for i in range(machines):
                free[i] = np.float32(level.free[node, side, i]) * shop.scale + one
                done[i] = np.float32(level.work[node, side, i]) * shop.scale + shop.one[side, i]
                share = np.divide(free[i] - done[i], free[i] + shop.longest[side, i])
                least[i] = shop.emphasis[side, i // 4] * share
            rest = level.idle[node, 1 - side]
            for step in range(machines):
                rest += least[machines - 1 - step]
                least[machines - 1 - step] = rest
        for block in range(blocks):
            for n in range(together):
                node = nodes[first + n]
                side = at_tail[node]
                fixed, bound = level.fixed[node, block], lines.bounds[n, side, block]
                for j in range(_BLOCK):
                    is_child = fixed[j] == 0 and bound[j] < aim.cutoff
                    length[j] = np.float32(bound[j]) if is_child else np.float32(np.inf)
                    idle[j] = -shop.unreal[side]
                    idle[_BLOCK + j] = 0
                for four in range(machines // 4):
                    if four % _CHECKED == 0:
                        rest = lines.least[n, 4 * four]
                        if not _some_may_be_kept(length, idle, rest, aim.weight, nearly):
                            break
                    row = shop.lengths[side, block, four]
                    counts = shop.emphasis[side, four]
                    _add_idle(row, lines.free[n], lines.done[n], 4 * four, counts, idle)
                else:
                    other = level.idle[node, 1 - side]
                    for j in range(_BLOCK):
                        key = length[j] + aim.weight * (idle[j] + other) * length[j]
                        if key <= last and length[j] < np.inf:
                            kept.keys[count] = key
                            kept.places[count] = (node * blocks + block) * _BLOCK + j
                            count += 1
    kept.number[0] = count
    return nodes.size


@outer
def _descend(
    level: Level,
    shop: Shop,
    parents: AnyArray,
    jobs: AnyArray,
    at_tail: AnyArray,
    children: Level,
) -> None:
    """Make the nodes of the next level from the children that are kept."""
    machines = shop.totals.shape[1]
    one = np.float32(1)
    for child in range(parents.size):
        node, job = parents[child], jobs[child]
        side = at_tail[node]
        for k in range(2):
            for i in range(machines):
                children.free[child, k, i] = level.free[node, k, i]
                children.work[child, k, i] = level.work[node, k, i]
        free_at, work = children.free[child, side], children.work[child, side]
        block, j = job // _BLOCK, job % _BLOCK
        idle = -shop.unreal[side]
        time = 0
        for i in range(machines):
            start = max(time, free_at[i])
            took = shop.times[side, block, i // 4, i % 4 * _BLOCK + j]
            time = start + took
            waited = np.float32(start - work[i]) * shop.scale + one - shop.one[side, i]
            share = waited / (np.float32(time) * shop.scale + one)
            idle += shop.emphasis[side, i // 4] * share
            free_at[i] = time
            work[i] += took
        for b in range(level.fixed.shape[1]):
            for k in range(_BLOCK):
                children.fixed[child, b, k] = level.fixed[node, b, k]
        children.fixed[child, block, j] = 1
        children.idle[child, 1 - side] = level.idle[node, 1 - side]
        children.idle[child, side] = idle


class _Made(NamedTuple):
    """What it takes to make the nodes of the next level, see ``_descend``."""

    shop: Shop
    level: Level
    at_tail: AnyArray
    parents: AnyArray
    jobs: AnyArray
    children: Level

    def piece(self, number: int, thread: int) -> None:
        """Make a piece of them, in one thread."""
        some = slice(number * _MADE_TOGETHER, (number + 1) * _MADE_TOGETHER)
        rows = Level(*(each[some] for each in self.children))
        parents, jobs = self.parents[some], self.jobs[some]
        _descend(self.level, self.shop, parents, jobs, self.at_tail, rows)


class _Rater:
    """A thread that rates nodes of a level and keeps the best of their children.

    These are ``width``, and may be up to ``most``.
    """

    def __init__(self, jobs: int, machines: int, kind: type, width: int, tuning: CpuBeamTuning):
        self.width, self.most = width, width + width // 4
        room = self.most + max(self.most, tuning.least_room) + _TOGETHER * jobs
        keys, places = np.empty(room, np.float32), np.empty(room, np.int64)
        self.kept = Kept(keys, places, np.zeros(1, np.int64))
        free, done, least = np.empty((3, _TOGETHER, machines), np.float32)
        self.lines = Lines(
            aligned_zeros((_TOGETHER, 2, jobs // _BLOCK, 2 * _BLOCK), kind),
            np.empty((_TOGETHER, 2, machines), kind),
            free,
            done,
            least,
            aligned_zeros((2 * _BLOCK,), np.float32),
            aligned_zeros((_BLOCK,), np.float32),
        )
        self.begin()

    def begin(self) -> None:
        """Forget what was kept of another level."""
        self.kept.number[0] = 0
        self.last, self.dropped = np.float32(np.inf), False

    def drop(self) -> None:
        """Keep no more than the width of the beam."""
        keys, places, _ = self.kept
        count = self.kept.number[0]
        least, dropped = least_keys(keys[:count], self.width)
        if dropped and (keys[:count] == keys[least].max()).sum() > 1:
            # Of equal ones the first are kept, whichever thread has rated them, and when.
            in_order = np.argsort(places[:count])
            keys[:count], places[:count] = keys[in_order], places[in_order]
            least, _ = least_keys(keys[:count], self.width)
        keys[: least.size], places[: least.size] = keys[least], places[least]
        self.kept.number[0] = least.size
        if dropped:
            self.dropped, self.last = True, keys[: least.size].max()


_Pieces: TypeAlias = tuple[int, int, Callable[[int, int], None]]


class CpuBeam(CoreBeam):
    """Beam search of one instance on cores.

    The result does not depend on the number of threads.
    """

    def __init__(self, problem: FlowShop, threads: int = 1, tuning: CpuBeamTuning = TUNING) -> None:
        super().__init__(threads)
        self._times = problem.processing_times
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
        cutoff = min(cutoff, int(self._times.sum()) + 1)
        shop, level = self._root(cutoff, guide.slant)
        jobs, evaluated, complete = self._jobs, 0, True
        machines, kind = shop.totals.shape[1], shop.totals.dtype.type
        columns = np.arange(_filled(jobs))
        history: list[tuple[AnyArray, AnyArray]] = []
        threads = range(self._threads.cores)
        raters: list[_Rater] = []
        for fixed in range(jobs):
            nodes, width = len(level.free), widths(fixed)
            # Nodes of a level have most of their jobs in common: those that all have fixed are left
            # out.
            fixed_by_all = level.fixed.all(axis=0).ravel()
            free = np.flatnonzero(~fixed_by_all)
            lanes = _filled(free.size)
            if lanes <= self._tuning.compact_share * columns.size:
                places = np.append(free, np.flatnonzero(fixed_by_all)[: lanes - free.size])
                columns = columns[places]
                some = (_some_jobs(each, places) for each in (shop.times, shop.lengths))
                shop = shop._replace(times=next(some), lengths=next(some))
                fixed_jobs = level.fixed.reshape(nodes, -1)[:, places]
                blocked = np.ascontiguousarray(fixed_jobs).reshape(nodes, -1, _BLOCK)
                level, raters = level._replace(fixed=blocked), []
            if not raters or width > raters[0].most:
                raters = [
                    _Rater(columns.size, machines, kind, width, self._tuning) for _ in threads
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
            children = _level(len(kept), columns.size, machines, kind)
            made = _Made(shop, level, at_tail, parents, job, children)
            yield -(-len(kept) // _MADE_TOGETHER), 0, made.piece
            history.append(
                (parents.astype(np.int32), (columns[job] * 2 + at_tail[parents]).astype(np.uint16))
            )
            level = children
        makespans = (level.free[:, 0].astype(np.int64) + level.free[:, 1, ::-1]).max(1)
        node = int(makespans.argmin())
        makespan = int(makespans[node])
        path = np.empty(jobs, np.int64)
        for place, (parent, job) in reversed(list(enumerate(history))):
            path[place] = job[node]
            node = int(parent[node])
        order = path_to_schedule(path >> 1, path & 1)
        return BeamResult(order, makespan, complete, evaluated)

    def _root(self, cutoff: int, slant: float) -> tuple[Shop, Level]:
        """Return the tables of all jobs, and the root, in numbers that are as short as may be."""
        jobs, machines = self._jobs, self._machines
        times = np.zeros((_filled(jobs), -(-machines // 4) * 4), np.int64)
        times[:jobs, :machines] = self._times
        heads, tails = heads_and_tails(times[:jobs])
        totals = times.sum(0)
        # No time of a child is later than its parent's bound and its job together.
        latest = max(cutoff, int((heads + totals + tails).max())) + int(times.sum(1).max())
        kinds = np.uint16, np.int32, np.int64
        kind = next(kind for kind in kinds if latest <= np.iinfo(kind).max or kind is np.int64)
        both = np.stack([times.T, times.T[::-1]]).astype(kind)
        blocked = _in_blocks(both)
        scale = np.float32(min(1.0, 2.0**30 / latest))
        real = np.arange(times.shape[1]) < machines
        fours = in_fours(machines)
        counts = np.stack([emphasis(fours, slant), emphasis(fours[::-1], slant)])
        shop = Shop(
            blocked,
            aligned_copy((blocked * scale).astype(np.float32)),
            (both.max(2) * scale).astype(np.float32),
            both.sum(2).astype(kind),
            scale,
            np.stack([real, real[::-1]]).astype(np.float32),
            counts,
            (times.shape[1] - machines) * np.array([counts[0, -1], counts[1, 0]]),
        )
        root = _level(1, times.shape[0], times.shape[1], kind)
        root.free[0] = heads, tails[::-1]
        root.work[:] = 0
        root.fixed[:] = (np.arange(times.shape[0]) >= jobs).reshape(-1, _BLOCK)
        root.idle[:] = machines
        return shop, root

    def _rated(
        self, rating: _Rating, raters: list[_Rater], width: int, free: int
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
        keys, _ = _kept_by(raters)
        place = int(tuning.sample_factor * width * first.size / nodes) + tuning.sample_least
        if keys.size > place:
            last = np.partition(keys, place)[place]
            for rater in raters:
                rater.last = min(rater.last, last)
            yield from parts(others)
            keys, places = _kept_by(raters)
            dropped = keys.size > width or any(rater.dropped for rater in raters)
            if dropped and (keys <= last).sum() >= width:
                return keys, places
            for rater in raters:
                rater.begin()
            yield from parts(first)
        yield from parts(others)
        return _kept_by(raters)

    def _rate(
        self, rating: _Rating, raters: list[_Rater], nodes: AnyArray, piece: int, thread: int
    ) -> None:
        """Rate the children of a piece of some nodes, in one thread."""
        rater = raters[thread]
        shop, level, aim, at_tail = rating
        left = nodes[piece * self._chunk : (piece + 1) * self._chunk]
        while left.size:
            # What one thread has no use for, no other has.
            last = min(each.last for each in raters)
            left = left[_evaluate(level, shop, aim, left, last, rater.lines, rater.kept, at_tail) :]
            if left.size:
                rater.drop()


def _kept_by(raters: list[_Rater]) -> tuple[AnyArray, AnyArray]:
    """Return the keys and the places of all that threads have kept."""
    keys, places = (
        np.concatenate([rater.kept[k][: rater.kept.number[0]] for rater in raters])
        for k in range(2)
    )
    return keys, places


def _filled(jobs: int) -> int:
    """Return how many jobs fill whole blocks."""
    return -(-jobs // _BLOCK) * _BLOCK


def _in_blocks(times: AnyArray) -> AnyArray:
    """Return (2, machines, jobs) times as they are in a shop."""
    _, machines, jobs = times.shape
    split = times.reshape(2, machines // 4, 4, jobs // _BLOCK, _BLOCK).transpose(0, 3, 1, 2, 4)
    return aligned_copy(split.reshape(2, jobs // _BLOCK, machines // 4, 4 * _BLOCK))


def _some_jobs(times: AnyArray, jobs: AnyArray) -> AnyArray:
    """Return a shop's table of times for some of its jobs."""
    _, blocks, fours, _ = times.shape
    split = times.reshape(2, blocks, 4 * fours, _BLOCK).transpose(0, 2, 1, 3)
    return _in_blocks(split.reshape(2, 4 * fours, -1)[:, :, jobs])
