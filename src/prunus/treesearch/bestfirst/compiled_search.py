"""Best-first search of one core, compiled by Numba for each problem.

``_explore`` is a template: it calls ``branch``, which a problem supplies and which is compiled into
the loop. A problem says what a node is; this file alone says which one comes next.

Which node comes next
---------------------
The one with the least bound, from a heap; then, while that is not much worse than the least, the
better child of the node before (a plunge), from a stack. When memory is short, all children of a
plunge go to the stack instead of into the heap: depth first, which needs little.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from prunus.hardware.jit.compiled import inner
from prunus.hardware.jit.template import compile_template
from prunus.model.arrays import FloatArray, Int64Array, Integer

PAUSED, EXHAUSTED, FOUND, NO_ROOM = range(4)
"""Why ``explore`` returned: out of budget or told to stop, nothing open, better solution, full."""

NO_BOUND = 2**62
"""The least bound of no node; the objective while no solution has been found."""

PLUNGE_SHARE = 8
"""A plunge goes on while its bound is at most one part in so many of the gap above the least."""


class SearchCounts:
    """How full the arrays of a core are, and what it has done.

    Nodes are in the heap or in the stack of the plunge; slots that hold none are ``free``. Of the
    ``nodes`` branched, ``leaves`` had no children. ``least`` is the bound of the node that came
    from the heap last, ``fathomed`` the share of the tree that is done.
    """

    in_heap: int
    in_stack: int
    free: int
    nodes: int
    leaves: int
    least: int
    fathomed: float


class NodeArrays(NamedTuple):
    """What the compiled search sees: nodes in slots; heap, stack and free list hold slots."""

    bound: Int64Array
    share: FloatArray
    words: Int64Array
    """Of the node in each slot: its bound, the share of the tree it is taken for, its row."""
    heap: Int64Array
    stack: Int64Array
    free: Int64Array
    """The slots of open nodes by bound, those of a plunge, those without a node."""
    node: Int64Array
    children: Int64Array
    bounds: Int64Array
    found: Int64Array
    """Scratch memory and results of ``branch``."""


@inner
def push(bound: Int64Array, heap: Int64Array, size: Integer, slot: Integer) -> None:
    """Put a slot into a heap of ``size``."""
    k = size
    while k > 0:
        parent = (k - 1) >> 1
        if bound[heap[parent]] <= bound[slot]:
            break
        heap[k] = heap[parent]
        k = parent
    heap[k] = slot


@inner
def pop(bound: Int64Array, heap: Int64Array, size: Integer) -> int:
    """Take the slot with the least bound out of a heap of ``size``."""
    top = heap[0]
    slot = heap[size - 1]
    size -= 1
    k = np.int64(0)
    while True:
        child = 2 * k + 1
        if child >= size:
            break
        if child + 1 < size and bound[heap[child + 1]] < bound[heap[child]]:
            child += 1
        if bound[heap[child]] >= bound[slot]:
            break
        heap[k] = heap[child]
        k = child
    heap[k] = slot
    return int(top)


def branch(
    data: object,
    node: Int64Array,
    bound: int,
    cutoff: int,
    stop_flag: Int64Array,
    children: Int64Array,
    bounds: Int64Array,
    found: Int64Array,
) -> int:
    """Write a node's children; return how many they are. A problem has its own.

    ``data`` is a tuple of arrays and numbers with scratch memory, ``node`` the node's row of words,
    ``bound`` what is known of it. Write the children that may hold a solution better than
    ``cutoff`` to the first rows of ``children`` and their bounds, no less than ``bound``, to
    ``bounds``; rows beyond those returned are scratch. A solution better than ``cutoff`` that is
    met goes to ``found``: its objective first, then the numbers that describe it. If
    ``stop_flag[0]`` is set meanwhile, the children may be chosen less carefully.
    """
    raise NotImplementedError


def _explore(
    data: object,
    arrays: NodeArrays,
    counts: SearchCounts,
    shared_cutoff: Int64Array,
    stop_flag: Int64Array,
    node_budget: int,
    depth_first: bool,
) -> int:
    """Branch up to ``node_budget`` nodes; return why it stopped.

    Stops early when a better solution has been met (``FOUND``, in ``arrays.found``), when there is
    no room for children (``NO_ROOM``), when ``stop_flag[1]`` is set, or when nothing is open
    (``EXHAUSTED``). It can be called again to go on. ``branch`` looks at ``stop_flag[0]``.
    """
    bound, share, words = arrays.bound, arrays.share, arrays.words
    heap, stack, free = arrays.heap, arrays.stack, arrays.free
    children, bounds, found = arrays.children, arrays.bounds, arrays.found
    node = arrays.node
    width = words.shape[1]
    status = PAUSED
    nodes = 0
    while nodes < node_budget and stop_flag[1] == 0:
        if counts.free < children.shape[0]:
            status = NO_ROOM
            break
        if counts.in_stack > 0:
            counts.in_stack -= 1
            slot = stack[counts.in_stack]
        elif counts.in_heap > 0:
            slot = pop(bound, heap, counts.in_heap)
            counts.in_heap -= 1
            counts.least = bound[slot]
        else:
            status = EXHAUSTED
            break
        known, part = bound[slot], share[slot]
        cutoff = shared_cutoff[0]
        for w in range(width):
            node[w] = words[slot, w]
        free[counts.free] = slot
        counts.free += 1
        if known >= cutoff:
            counts.fathomed += part
            continue
        found[0] = NO_BOUND
        count = branch(data, node, known, cutoff, stop_flag, children, bounds, found)
        nodes += 1
        cutoff = min(shared_cutoff[0], found[0])
        best = -1
        for c in range(count):
            if best < 0 or bounds[c] < bounds[best]:
                best = c
        least = counts.least
        if counts.in_heap > 0:
            least = min(least, bound[heap[0]])
        near = least + (cutoff - least) // PLUNGE_SHARE
        for turn in range(count):
            # The best child comes last, so that it is on top of the stack.
            c = best if turn == count - 1 else (turn if turn < best else turn + 1)
            if bounds[c] >= cutoff:
                counts.fathomed += part / count
                continue
            counts.free -= 1
            slot = free[counts.free]
            bound[slot] = bounds[c]
            share[slot] = part / count
            for w in range(width):
                words[slot, w] = children[c, w]
            if depth_first or (c == best and bounds[c] <= near):
                stack[counts.in_stack] = slot
                counts.in_stack += 1
            else:
                push(bound, heap, counts.in_heap, slot)
                counts.in_heap += 1
        if count == 0:
            counts.leaves += 1
            counts.fathomed += part
        if found[0] < NO_BOUND:
            status = FOUND
            break
    counts.nodes += nodes
    return status


def compile_search(name: str, branch: Callable[..., int]) -> Callable[..., int]:
    """Compile the search for one problem.

    ``name`` is that of the problem, for what is kept on disk; ``branch`` a Numba function, see
    `branch`.
    """
    return compile_template(_explore, name, branch=branch)
