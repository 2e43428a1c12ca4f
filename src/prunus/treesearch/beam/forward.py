"""The forward beam of any tree of items on cores: what the depth-first search knows is enough."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np

from prunus._native.treesearch import Beam
from prunus.hardware.memory import usable_memory
from prunus.model.arrays import AnyArray, Int64Array, UInt64Array
from prunus.treesearch.beam.compiled_beam import (
    NO_CHILD,
    BeamAim,
    BeamLevel,
    BeamScratch,
    CompiledBeam,
)
from prunus.treesearch.beam.core_beam import CoreBeam
from prunus.treesearch.beam.level_times import Widths
from prunus.treesearch.beam.model import BeamResult, Guide
from prunus.treesearch.beam.select import least_keys
from prunus.treesearch.interval.cpu.aligned import aligned_zeros
from prunus.treesearch.interval.cpu.numba_search import NumbaTree

Levels: TypeAlias = Generator[tuple[int, int, Callable[[int, int], None]], None, BeamResult]
"""The levels of a beam: the number of pieces, that of the children, and what rates a piece, given
its number, in a thread."""


@dataclass(frozen=True, slots=True)
class ForwardBeamTuning:
    """Settings of forward beams."""

    chunk_children: int = 4096
    """Children of a piece: between two pieces a thread can be stopped."""
    widest: int = 2**20
    """Nodes a level, whatever the memory."""
    memory_share: float = 0.25
    """Of the memory there is, so much may be used."""


class ForwardBeam(CoreBeam):
    """Beam search of one tree on cores, from the first level to the last.

    Of children with the same below them one is kept. Of equal keys those are kept that a seed says,
    others in each beam. ``follow`` gives the items of the best known solution, which completions
    follow; None if none is known. The result does not depend on the number of threads; the seed is
    that of the choice among equals.
    """

    def __init__(
        self,
        tree: NumbaTree,
        compiled: CompiledBeam,
        follow: Callable[[], Int64Array | None],
        threads: int = 1,
        seed: int = 0,
        tuning: ForwardBeamTuning = ForwardBeamTuning(),
    ) -> None:
        super().__init__(threads)
        self._tree, self._compiled, self._tuning = tree, compiled, tuning
        self._follow = follow
        self._random = np.random.default_rng(abs(seed))
        self._words = -(-tree.items // 32)
        self._chunk = max(1, tuning.chunk_children // tree.items)
        self._scratch = [(tree.data(), self._make_scratch()) for _ in range(self._threads.cores)]

    @property
    def widest(self) -> int:
        tree = self._tree
        # Two levels, some copies of what is known of the children, and what leads to each node.
        state = tree.root.nbytes + 4 * self._words
        node = 4 * state + 64 * tree.items + 8 * len(tree.radix)
        return max(1, min(self._tuning.widest, usable_memory(self._tuning.memory_share) // node))

    def _make_scratch(self) -> BeamScratch:
        """Make what one thread writes to."""
        tree, words = self._tree, self._words
        levels = len(tree.radix)
        return BeamScratch(
            aligned_zeros((levels + 1, len(tree.root)), tree.root.dtype),
            tree.free_items(),
            np.zeros((levels, words), np.uint32),
            aligned_zeros((levels, 2, words * 32), tree.root.dtype),
            np.zeros(levels, np.int64),
            np.zeros(levels, np.int64),
            np.full(1, NO_CHILD),
        )

    def begin(self, guide: Guide, cutoff: int) -> Beam:
        raise NotImplementedError

    def steps(
        self, widths: Widths, *, guide: Guide, cutoff: int
    ) -> Generator[int, None, BeamResult]:
        """Run one beam in steps of some milliseconds; yields the children rated in each."""
        levels, threads = self._levels(widths, guide, cutoff), self._threads
        while True:
            try:
                pieces, children, rate = next(levels)
            except StopIteration as end:
                result: BeamResult = end.value
                return result
            for first in range(0, pieces, threads.cores):
                some = min(threads.cores, pieces - first)
                threads.take_pieces(some, partial(_shifted, rate, first))
                yield children * some // pieces

    def _levels(self, widths: Widths, guide: Guide, cutoff: int) -> Levels:
        """Go from level to level; the guide's weight is that of completions."""
        tree, items, known = self._tree, self._tree.items, self._follow()
        salts = self._random.integers(2**63, size=len(tree.root) + self._words).astype(np.uint64)
        salts = salts << np.uint64(1) | np.uint64(1)
        order = np.zeros(len(tree.radix), np.int64) if known is None else known
        aim = BeamAim(cutoff, 0.0 if known is None else float(guide.weight), order)
        for _, scratch in self._scratch:
            scratch.least[0] = NO_CHILD
        paths = np.empty((1, 0), np.int64)  # for completions
        history: list[tuple[AnyArray, AnyArray]] = []
        level = BeamLevel(tree.root[None].copy(), tree.free_items()[:1], np.zeros(1, np.uint64))
        complete, evaluated, least = True, 0, NO_CHILD
        for depth, radix in enumerate(tree.radix):
            nodes, width = len(level.states), widths(depth)
            keys = np.empty((nodes, items), np.int64)
            rate = partial(self._rate, depth, level, paths, aim, keys)
            yield -(-nodes // self._chunk), nodes * radix, rate
            evaluated += nodes * radix
            last = depth + 1 == len(tree.radix)
            descend = partial(self._descend, depth, level, salts)
            kept, level, dropped = self._distinct(keys, 1 if last else width, descend)
            complete = complete and (last or not dropped)
            if not kept.size:
                return self._result(None, cutoff, complete, evaluated)
            parents, item = np.divmod(kept, items)
            history.append((parents.astype(np.int32), item.astype(np.int32)))
            if aim.weight > 0:
                paths = np.column_stack([paths[parents], item])
            least = int(keys.flat[kept[0]])
        leaf, node = np.empty(len(history), np.int64), 0
        for depth, (before, fixed) in reversed(list(enumerate(history))):
            leaf[depth], node = fixed[node], before[node]
        return self._result(leaf, least, complete, evaluated)

    def _result(
        self, leaf: Int64Array | None, cost: int, complete: bool, evaluated: int
    ) -> BeamResult:
        """Return the better of the leaf and the best completion, if it is below a cost."""
        for _, scratch in self._scratch:
            if scratch.least[0] < cost:
                leaf, cost = scratch.best, int(scratch.least[0])
        if leaf is None:
            return BeamResult(None, None, complete, evaluated)
        directions = np.zeros(len(leaf), np.int64)
        return BeamResult(self._tree.solution(leaf, directions), cost, complete, evaluated)

    def _rate(
        self,
        depth: int,
        level: BeamLevel,
        paths: Int64Array,
        aim: BeamAim,
        keys: Int64Array,
        piece: int,
        thread: int,
    ) -> None:
        """Rate the children of a piece of a level's nodes, in one thread."""
        data, scratch = self._scratch[thread]
        chunk = self._chunk
        part = piece * chunk, min(len(level.states), (piece + 1) * chunk)
        self._compiled.rate(data, scratch, depth, level, part, paths, aim, keys)

    def _descend(
        self,
        depth: int,
        level: BeamLevel,
        salts: UInt64Array,
        parents: Int64Array,
        items: Int64Array,
    ) -> BeamLevel:
        """Make some children of a level's nodes."""
        data, scratch = self._scratch[0]
        children = BeamLevel(
            np.empty((len(parents), level.states.shape[1]), level.states.dtype),
            np.zeros((len(parents), self._words), np.uint32),
            np.empty(len(parents), np.uint64),
        )
        self._compiled.descend(data, scratch, depth, level, parents, items, salts, children)
        return children

    def _distinct(
        self,
        keys: Int64Array,
        width: int,
        descend: Callable[[Int64Array, Int64Array], BeamLevel],
    ) -> tuple[Int64Array, BeamLevel, bool]:
        """Return the places of the least children, no two of them alike, and the children.

        The third is whether any was left out that is not like another one.
        """
        flat = keys.ravel()
        wanted = min(flat.size, width + width // 2 + 1)
        while True:
            some, rest = least_keys(flat, wanted, NO_CHILD, self._random)
            children = descend(*np.divmod(some, keys.shape[1]))
            # Of equal keys at random, duplicates side by side.
            order = np.lexsort((children.prints, flat[some]))
            some, prints = some[order], children.prints[order]
            new = np.ones(len(some), bool)
            new[1:] = (flat[some[1:]] != flat[some[:-1]]) | (prints[1:] != prints[:-1])
            if not rest or new.sum() > width:
                break
            wanted = min(flat.size, 4 * wanted)
        # Up to the last that is kept, with all that seem to be like another one before it.
        end = int(np.searchsorted(np.cumsum(new), width, side="right"))
        dropped = rest or end < len(some)
        some, new = some[:end], new[:end]
        children = children.at(order[:end])
        if not new.all():
            # A fingerprint may be wrong once in 2^64 times: states and free items are compared.
            alike = ~new
            alike[1:] &= (children.states[1:] == children.states[:-1]).all(1)
            alike[1:] &= (children.free[1:] == children.free[:-1]).all(1)
            chosen = np.flatnonzero(~alike)
            some = some[chosen]
            children = children.at(chosen)
        return some, children, dropped


def _shifted(rate: Callable[[int, int], None], first: int, piece: int, thread: int) -> None:
    """Rate a piece that is counted from another one."""
    rate(first + piece, thread)
