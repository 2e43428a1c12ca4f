"""The forward beam of any tree of items on cores: what the depth-first search knows is enough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from prunus.hardware.memory import usable_memory
from prunus.model.arrays import AnyArray, Int64Array
from prunus.treesearch.beam.compiled_beam import (
    NO_CHILD,
    BeamAim,
    BeamKeys,
    BeamLevel,
    BeamScratch,
    CompiledBeam,
)
from prunus.treesearch.beam.core_beam import CoreBeam, Levels
from prunus.treesearch.beam.model import BeamResult
from prunus.treesearch.interval.cpu.aligned import aligned_zeros
from prunus.treesearch.interval.cpu.tree import Tree

_TIE_BITS = 20
"""Of a fingerprint, to order children whose keys are equal: at random, duplicates side by side."""


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
        tree: Tree,
        compiled: CompiledBeam,
        follow: Callable[[], Int64Array | None],
        threads: int = 1,
        seed: int = 0,
        tuning: ForwardBeamTuning = ForwardBeamTuning(),
    ) -> None:
        super().__init__(threads)
        self._tree, self._compiled, self._tuning = tree, compiled, tuning
        self._follow = follow
        self._salts = np.random.default_rng(abs(seed))
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

    def _levels(self, width: int, weight: float, cutoff: int) -> Levels:
        """Go from level to level; the weight is that of completions."""
        tree, items, known = self._tree, self._tree.items, self._follow()
        salts = self._salts.integers(2**63, size=len(tree.root) + self._words).astype(np.uint64)
        salts = salts << np.uint64(1) | np.uint64(1)
        order = np.zeros(len(tree.radix), np.int64) if known is None else known
        aim = BeamAim(cutoff, 0.0 if known is None else float(weight), order, salts)
        for _, scratch in self._scratch:
            scratch.least[0] = NO_CHILD
        paths = np.empty((1, 0), np.int64)
        level = BeamLevel(tree.root[None].copy(), tree.free_items()[:1])
        complete, evaluated, least = True, 0, NO_CHILD
        for depth, radix in enumerate(tree.radix):
            nodes = len(level.states)
            shape = nodes, items
            found = BeamKeys(np.empty(shape, np.int64), np.empty(shape, np.uint64))
            rate = partial(self._rate, depth, level, paths, aim, found)
            yield -(-nodes // self._chunk), nodes * radix, rate
            evaluated += nodes * radix
            last = depth + 1 == len(tree.radix)
            descend = partial(self._descend, depth, level)
            kept, level, dropped = _distinct(found, 1 if last else width, items, descend)
            complete = complete and (last or not dropped)
            if not kept.size:
                return self._result(None, cutoff, complete, evaluated)
            parents, item = np.divmod(kept, items)
            paths = np.column_stack([paths[parents], item])
            least = int(found.keys.flat[kept[0]])
        return self._result(paths[0], least, complete, evaluated)

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
        found: BeamKeys,
        piece: int,
        thread: int,
    ) -> None:
        """Rate the children of a piece of a level's nodes, in one thread."""
        data, scratch = self._scratch[thread]
        chunk = self._chunk
        part = piece * chunk, min(len(level.states), (piece + 1) * chunk)
        self._compiled.rate(data, scratch, depth, level, part, paths, aim, found)

    def _descend(
        self, depth: int, level: BeamLevel, parents: Int64Array, items: Int64Array
    ) -> BeamLevel:
        """Make some children of a level's nodes."""
        data, scratch = self._scratch[0]
        children = BeamLevel(
            np.empty((len(parents), level.states.shape[1]), level.states.dtype),
            np.zeros((len(parents), self._words), np.uint32),
        )
        self._compiled.descend(data, scratch, depth, level, parents, items, children)
        return children


def _distinct(
    found: BeamKeys,
    width: int,
    items: int,
    descend: Callable[[Int64Array, Int64Array], BeamLevel],
) -> tuple[Int64Array, BeamLevel, bool]:
    """Return the places of the least children, no two of them alike, and the children.

    The third is whether any was left out that is not like another one.
    """
    keys, prints = found.keys.ravel(), found.prints.ravel()
    places = np.flatnonzero(keys < NO_CHILD)
    order = _order(keys[places], prints[places])
    wanted = min(len(places), 2 * width)
    while True:
        rest = len(places) - wanted
        some = np.argpartition(order, wanted - 1)[:wanted] if rest else np.arange(wanted)
        some = places[some[np.argsort(order[some], kind="stable")]]
        new = np.ones(wanted, bool)
        new[1:] = (keys[some[1:]] != keys[some[:-1]]) | (prints[some[1:]] != prints[some[:-1]])
        if not rest or new.sum() > width:
            break
        wanted = min(len(places), 4 * wanted)
    # Up to the last that is kept, with all that seem to be like another one before it.
    end = int(np.searchsorted(np.cumsum(new), width, side="right"))
    dropped = bool(rest) or end < wanted
    some, new = some[:end], new[:end]
    parents, item = np.divmod(some, items)
    children = descend(parents, item)
    if not new.all():
        # A fingerprint may be wrong once in 2^64 times: states and free items are compared.
        alike = ~new
        alike[1:] &= (children.states[1:] == children.states[:-1]).all(1)
        alike[1:] &= (children.free[1:] == children.free[:-1]).all(1)
        chosen = np.flatnonzero(~alike)
        some = some[chosen]
        children = BeamLevel(children.states[chosen], children.free[chosen])
    return some, children, dropped


def _order(keys: Int64Array, prints: AnyArray) -> Int64Array:
    """Return numbers in the order of the keys, and of equal keys in that of the fingerprints."""
    if not len(keys):
        return keys
    least = keys.min()
    if int(keys.max()) - int(least) >= 2 ** (62 - _TIE_BITS):
        return keys
    ordered: Int64Array = (keys - least) << _TIE_BITS
    return ordered | (prints >> np.uint64(64 - _TIE_BITS)).astype(np.int64)
