"""A forward beam on a GPU in plain Python: the same nodes, in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from prunus.custom.costs import CostProblem
from prunus.custom.plain_tree import INFEASIBLE, Node, PlainTree
from prunus.model.arrays import Int64Array

_ALL = 2**64 - 1


def _mixed(z: int) -> int:
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _ALL
    z = (z ^ z >> 27) * 0x94D049BB133111EB & _ALL
    return z ^ z >> 31


def rank(distance: int, number: int) -> int:
    """Return what keys are selected by: how far one is from the least, and a random number."""
    shift = max(0, distance.bit_length() - 7)
    rest = distance & (1 << shift) - 1
    more = rest >> max(0, shift - 12)
    return ((distance >> shift) + 64 * shift) << 24 | more << 12 | _mixed(number & _ALL) >> 52


@dataclass
class Found:
    """What a beam found."""

    cost: int | None
    solution: list[int] | None
    complete: bool
    evaluated: int


def beam(
    costs: CostProblem,
    width: int,
    weight: float,
    cutoff: int,
    known: Int64Array | None,
    seed: int,
    candidates: int,
) -> Found:
    """Run one."""
    tree, random = PlainTree(costs.problem), np.random.default_rng(seed)
    items = len(costs.problem.radix)
    numbers = max(1, costs.problem.state)
    drawn = random.integers(2**63, size=numbers + -(-items // 32))
    salts = [int(s) << 1 & _ALL | 1 for s in drawn]
    seeds = [int(random.integers(2**63)) for _ in range(2)]
    listed = list(range(items)) if known is None else known.tolist()
    level, complete, evaluated = [tree.root()], True, 0
    best, leaf = cutoff, None
    completed: tuple[int, list[int]] | None = None

    def cost(node: Node) -> int:
        value = tree.cost(node)
        return value if value >= INFEASIBLE else value - costs.base

    def completion(node: Node) -> tuple[int, list[int]]:
        end = node
        for item in listed:
            if item in node.free:
                end = tree.child(end, item)
                if cost(end) >= INFEASIBLE:
                    break
        order = [*node.prefix, *(j for j in listed if j in node.free)]
        return cost(end), order

    def fingerprint(node: Node) -> int:
        words = [sum(1 << j - 32 * w for j in node.free if j // 32 == w) for w in range(99)]
        parts = [*(node.state or (0,)), *words]
        total = sum(part * salt for part, salt in zip(parts, salts, strict=False)) & _ALL
        return _mixed(total) or 1

    for depth in range(items):
        last = depth + 1 == items
        keys: dict[int, int] = {}
        nodes: list[Node] = []
        for node in level:
            for item in (j for j in listed if j in node.free):
                child = tree.child(node, item)
                key = cost(child)
                if key < cutoff:
                    place = len(nodes)
                    if not last:
                        guide = tree.guide(child)
                        key = key if guide is None else guide
                        if known is not None and weight > 0:
                            value, order = completion(child)
                            if value < (INFEASIBLE if completed is None else completed[0]):
                                completed = value, order
                            key += int(weight * float(min(value, INFEASIBLE) - key))
                    keys[place] = min(key, 2 ** (costs.problem.bits - 1) - 2)
                nodes.append(child)
        evaluated += len(nodes)
        if not keys:
            level = []
            break
        least = min(keys.values())
        target = 1 if last else candidates * width
        first = _least({c: rank(k - least, c + seeds[0]) for c, k in keys.items()}, target)
        dropped = len(first) < len(keys)
        seen: dict[Any, int] = {}
        unlike = {}
        for place, child in enumerate(first):
            node = nodes[child]
            if (node.state, node.free) not in seen:
                seen[node.state, node.free] = place
                unlike[place] = keys[child]

        ranks = {
            place: rank(key - least, fingerprint(nodes[first[place]]) + seeds[1])
            for place, key in unlike.items()
        }
        kept = _least(ranks, 1 if last else width)
        dropped = dropped or len(kept) < len(unlike)
        complete = complete and (last or not dropped)
        level = [nodes[first[place]] for place in kept]
        if last:
            best, leaf = least, list(level[0].prefix)
    if completed is not None and completed[0] < best:
        best, leaf = completed
    return Found(None if leaf is None else best, leaf, complete, evaluated)


def _least(ranks: dict[int, int], most: int) -> Sequence[int]:
    """Return the places of least rank, in their order; of equal ranks the first."""
    return sorted(sorted(ranks, key=lambda place: (ranks[place], place))[:most])
