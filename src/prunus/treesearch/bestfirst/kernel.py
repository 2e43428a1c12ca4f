"""The search of one core: open nodes in a heap by bound, plunges between them, compiled by Numba.

The function here is a template: it calls ``branch``, which a problem supplies and which is compiled
into the loop. A problem says what a node is; this file alone says which one comes next.

What a problem supplies
-----------------------
``branch(data, node, bound, ub, flag, children, bounds, found)``
    Bound a node and divide it: ``node`` is its row of words, ``bound`` what is known of it. Write
    the children that may hold a solution better than ``ub`` to the first rows of ``children`` and
    their bounds, no less than ``bound``, to ``bounds``; return how many they are. A solution better
    than ``ub`` that is met goes to ``found``: its objective first, then what describes it. Rows
    beyond those returned are scratch. If ``flag[0]`` is set meanwhile, it may choose children less
    carefully.

Which node comes next
---------------------
The one with the least bound, from the heap; then, while that is not much worse than the least, the
better child of the node before (a plunge). When memory is short, all children of a plunge go to its
stack instead of into the heap: depth first, which needs little.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np

from prunus.hardware.jit.compiled import inner, outer

__all__ = ["CONTROL_SIZE", "CROWDED", "EXHAUSTED", "FOUND", "PAUSED", "instantiate", "pop", "push"]

# Places in a core's control array.
HEAP, STACK, FREE, NODES, LEAVES, LEAST = range(6)
CONTROL_SIZE = 6

# What made ``explore`` return.
PAUSED, EXHAUSTED, FOUND, CROWDED = range(4)

NOTHING = 2**62

PLUNGE = 8
"""A plunge goes on while its bound is at most one part in so many of the gap above the least."""


@inner
def push(bound: Any, heap: Any, size: Any, slot: Any):  # type: ignore[no-untyped-def]
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
def pop(bound: Any, heap: Any, size: Any):  # type: ignore[no-untyped-def]
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
    return top


def _explore(data, store, control, cell, flag, budget, crowded):  # type: ignore[no-untyped-def]
    """Branch up to ``budget`` nodes; return why it stopped.

    Stops early when a better solution has been met (``FOUND``, in ``store.found``), when there is
    no room for children (``CROWDED``), when ``flag[0]`` is set, or when nothing is open
    (``EXHAUSTED``). It can be called again to go on.
    """
    bound, share, words = store.bound, store.share, store.words
    heap, stack, free = store.heap, store.stack, store.free
    children, bounds, found = store.children, store.bounds, store.found
    node = store.node
    width = words.shape[1]
    status = PAUSED
    nodes = 0
    while nodes < budget and flag[0] == 0:
        if control[FREE] < children.shape[0]:
            status = CROWDED
            break
        if control[STACK] > 0:
            control[STACK] -= 1
            slot = stack[control[STACK]]
        elif control[HEAP] > 0:
            slot = pop(bound, heap, control[HEAP])
            control[HEAP] -= 1
            control[LEAST] = bound[slot]
        else:
            status = EXHAUSTED
            break
        known, part = bound[slot], share[slot]
        ub = cell[0]
        for w in range(width):
            node[w] = words[slot, w]
        free[control[FREE]] = slot
        control[FREE] += 1
        if known >= ub:
            store.done[0] += part
            continue
        found[0] = NOTHING
        count = branch(data, node, known, ub, flag, children, bounds, found)  # type: ignore[name-defined]  # noqa: F821
        nodes += 1
        ub = min(cell[0], found[0])
        best = -1
        for c in range(count):
            if best < 0 or bounds[c] < bounds[best]:
                best = c
        least = control[LEAST]
        if control[HEAP] > 0:
            least = min(least, bound[heap[0]])
        near = least + (ub - least) // PLUNGE
        for turn in range(count):
            # The best child comes last, so that it is on top of the stack.
            c = best if turn == count - 1 else (turn if turn < best else turn + 1)
            if bounds[c] >= ub:
                store.done[0] += part / count
                continue
            control[FREE] -= 1
            slot = free[control[FREE]]
            bound[slot] = bounds[c]
            share[slot] = part / count
            for w in range(width):
                words[slot, w] = children[c, w]
            if crowded or (c == best and bounds[c] <= near):
                stack[control[STACK]] = slot
                control[STACK] += 1
            else:
                push(bound, heap, control[HEAP], slot)
                control[HEAP] += 1
        if count == 0:
            control[LEAVES] += 1
            store.done[0] += part
        if found[0] < NOTHING:
            status = FOUND
            break
    control[NODES] += nodes
    return status


def instantiate(name: str, branch: Any) -> Callable[..., int]:
    """Compile the search for one problem.

    The compiled code is cached on disk under a name that contains a digest of the sources it is
    made of, since Numba itself would notice a change in this file only.

    Parameters
    ----------
    name
        Name of the problem, for the cache.
    branch
        Numba function as described at the top of this file.
    """
    digest = hashlib.blake2b(digest_size=6)
    for folder in (Path(inspect.getsourcefile(branch.py_func) or "").parent, Path(__file__).parent):
        for file in sorted(folder.glob("*.py")):
            digest.update(file.read_bytes())
    template: Any = _explore
    function = FunctionType(template.__code__, {**globals(), "branch": branch}, template.__name__)
    function.__module__ = __name__
    function.__qualname__ = f"_explore_{name}_{digest.hexdigest()}"
    compiled: Callable[..., int] = outer(function)
    return compiled
