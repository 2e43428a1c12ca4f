"""The compiled part of forward beams: the children of a level's nodes, rated with what a tree has.

``_rate`` and ``_descend`` are templates, as those of the depth-first search, and call the same
``branch`` and ``descend``. A problem may add a ``guide``, by which nodes are ordered in place of
their bounds.

A weak bound says little of what a node is good for. So a node may also be completed, with all other
items in the order in which a known solution has them, and what that costs counts by a weight. Each
completion is a solution as well (rollouts: Bertsekas, Tsitsiklis, Wu 1997).

Two nodes with the same state and the same free items have the same below them, whatever the order
in which their items were fixed. Children that may be kept get a fingerprint of both, by which such
pairs are found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import CompiledFunction
from prunus.hardware.jit.splitmix import mixed
from prunus.hardware.jit.template import compile_template, inline_template
from prunus.model.arrays import AnyArray, Int64Array, UInt32Array, UInt64Array
from prunus.treesearch.interval.cpu.compiled_search import branch, descend
from prunus.treesearch.interval.cpu.item_sets import trailing_zeros

NO_CHILD = 2**62
"""The key of what is no child."""


class BeamLevel(NamedTuple):
    """The nodes of a level, one a row."""

    states: AnyArray
    """(nodes, numbers of a state)"""
    free: UInt32Array
    """(nodes, words): the free items, a bit an item; the same for all where items repeat."""
    prints: UInt64Array
    """(nodes,): fingerprints of both."""

    def at(self, places: Int64Array) -> BeamLevel:
        """Return some of the nodes."""
        return BeamLevel(self.states[places], self.free[places], self.prints[places])


class BeamScratch(NamedTuple):
    """What a thread writes to: the rows of a depth-first search, see ``compiled_search``."""

    states: AnyArray
    free: UInt32Array
    waiting: UInt32Array
    bounds: AnyArray
    trial: Int64Array
    """(levels,) A completion."""
    best: Int64Array
    """(levels,) The best completion of a beam."""
    least: Int64Array
    """(1,) And its cost."""


class BeamAim(NamedTuple):
    """What the children of a beam are rated by."""

    cutoff: int
    """Only children with a bound below it are of use."""
    weight: float
    """Of what completions cost; their bounds, or the guide, have the rest."""
    order: Int64Array
    """(levels,) The items of the solution that completions follow."""


# What the templates below call and ask for, beside ``branch`` and ``descend``; ``compile_beam``
# fills in a problem's own.


def guide(data: object, states: AnyArray, level: int, free: UInt32Array, row: int) -> int:
    """Return what a node is ordered by: its state in a level's row, its free items in another."""
    raise NotImplementedError


def complete(
    data: object, states: AnyArray, free: UInt32Array, order: Int64Array, first: int, limit: int
) -> int:
    """Go down from a level on as an order says; return the leaf's cost, or ``limit`` or more."""
    raise NotImplementedError


def rate_children(
    data: object,
    state: AnyArray,
    level: int,
    free: UInt32Array,
    bounds: AnyArray,
    cutoff: int,
    keys: Int64Array,
) -> None:
    """Write what all children of a node are ordered by, ``NO_CHILD`` for what is none."""
    raise NotImplementedError


GUIDED = TOGETHER = REPEATING = False


def load(scratch: BeamScratch, level: int, nodes: BeamLevel, node: int) -> None:
    """Write a node to the row of its level."""
    for k in range(scratch.states.shape[1]):
        scratch.states[level, k] = nodes.states[node, k]
    if not REPEATING:
        for w in range(scratch.free.shape[1]):
            scratch.free[level, w] = nodes.free[node, w]


def _rate(
    data: object,
    scratch: BeamScratch,
    level: int,
    nodes: BeamLevel,
    part: tuple[int, int],
    paths: Int64Array,
    aim: BeamAim,
    keys: Int64Array,
) -> None:
    """Rate the children of some nodes: from the first of a part to one past its last.

    ``paths`` has what is fixed at each of them, a row a node. Written are ``keys``, (nodes, items),
    what children are ordered by; ``NO_CHILD`` for what is no child below the cutoff.
    """
    states, free, waiting, bounds = scratch.states, scratch.free, scratch.waiting, scratch.bounds
    trial, levels = scratch.trial, waiting.shape[0]
    last = level + 1 == waiting.shape[0]
    for node in range(part[0], part[1]):
        load(scratch, level, nodes, node)
        if TOGETHER and not last:
            rate_children(data, states, level, free, bounds, aim.cutoff, keys[node])
            continue
        branch(data, states, level, free, waiting, bounds, aim.cutoff, 0)
        if aim.weight > 0:
            for d in range(level):
                trial[d] = paths[node, d]
        for item in range(keys.shape[1]):
            keys[node, item] = NO_CHILD
        for word in range(free.shape[1]):
            everyone = free[level, word]
            bits = waiting[level, word]
            while bits != 0:
                bit = trailing_zeros(bits)
                bits &= bits - 1
                item = word * 32 + bit
                key = np.int64(bounds[level, 0, item])
                if not last and (GUIDED or aim.weight > 0):
                    descend(data, states, level, item, 0)
                    if not REPEATING:
                        free[level, word] = everyone & ~(1 << bit) & 0xFFFFFFFF
                    if GUIDED:
                        key = np.int64(guide(data, states, level + 1, free, level))
                    if aim.weight > 0:
                        trial[level] = item
                        place = level + 1
                        for w in range(free.shape[1]):
                            if not REPEATING:
                                free[level + 1, w] = free[level, w]
                        for d in range(levels):
                            other = aim.order[d]
                            if REPEATING:
                                if d > level:
                                    trial[d] = other
                            elif (free[level, other >> 5] >> (other & 31)) & 1:
                                trial[place] = other
                                place += 1
                        cost = complete(data, states, free, trial, level + 1, NO_CHILD)
                        if cost < scratch.least[0]:
                            scratch.least[0] = cost
                            for d in range(levels):
                                scratch.best[d] = trial[d]
                        key += np.int64(aim.weight * np.float64(cost - key))
                    free[level, word] = everyone
                keys[node, item] = min(key, np.int64(NO_CHILD - 1))


def _descend(
    data: object,
    scratch: BeamScratch,
    level: int,
    nodes: BeamLevel,
    parents: Int64Array,
    items: Int64Array,
    salts: UInt64Array,
    children: BeamLevel,
) -> None:
    """Make the nodes of the next level from some children.

    Fingerprints are the same for nodes with the same below them, hardly ever for others. ``salts``,
    (numbers of a state + words of a set,), are what they multiply these by, odd and random.
    """
    states, free = scratch.states, scratch.free
    for child in range(parents.size):
        load(scratch, level, nodes, parents[child])
        item = items[child]
        descend(data, states, level, item, 0)
        mixture = np.uint64(0)
        for k in range(states.shape[1]):
            children.states[child, k] = states[level + 1, k]
            mixture += np.uint64(states[level + 1, k]) * salts[k]
        if not REPEATING:
            for w in range(free.shape[1]):
                children.free[child, w] = free[level, w]
            word = item >> 5
            children.free[child, word] &= ~(1 << (item & 31)) & 0xFFFFFFFF
            for w in range(free.shape[1]):
                mixture += np.uint64(children.free[child, w]) * salts[states.shape[1] + w]
        children.prints[child] = mixed(mixture)


@dataclass(frozen=True, slots=True)
class CompiledBeam:
    """The compiled functions of one problem; see ``compile_beam``."""

    rate: CompiledFunction
    descend: CompiledFunction


def compile_beam(
    name: str,
    branch: Callable[..., int],
    descend: Callable[..., None],
    complete: Callable[..., int],
    guide: Callable[..., int] | None = None,
    *,
    together: Callable[..., None] | None = None,
    repeating: bool = False,
) -> CompiledBeam:
    """Compile the beams of one problem.

    The name is for what is kept on disk. ``branch`` and ``descend`` are those of its depth-first
    search; ``complete`` goes down from a level on as an order says, and returns what the leaf
    costs; ``guide`` is what nodes are ordered by, by default their bounds. ``together`` says that
    of all children of a node side by side, see ``rate_children``; nodes are not completed then.
    ``repeating``: an item may be fixed again further down.
    """
    parts = {"branch": branch, "descend": descend, "complete": complete, "REPEATING": repeating}
    parts |= {"GUIDED": guide is not None, "guide": guide or descend}
    parts |= {"TOGETHER": together is not None, "rate_children": together or descend}
    parts["load"] = inline_template(load, REPEATING=repeating)
    return CompiledBeam(
        compile_template(_rate, f"{name}_beam", **parts),
        compile_template(_descend, f"{name}_beam", **parts),
    )
