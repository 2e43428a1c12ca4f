"""Chains of local search that meet in pairs: the worse one goes on from the other's solution."""

from __future__ import annotations

import numpy as np

from prunus.model.arrays import AnyArray


def sources_in_pairs(costs: AnyArray, readily: float, random: np.random.Generator) -> AnyArray:
    """Return from whose solution each chain goes on, its own or a better one's.

    The worse it is than the other one of its pair, the more likely it follows; a chain that is
    worse by ``readily`` goes its own way with probability 1/e.
    """
    chains = len(costs)
    pairs = random.permutation(chains)[: chains // 2 * 2].reshape(2, -1)
    better, worse = np.take_along_axis(pairs, np.argsort(costs[pairs], 0, "stable"), 0)
    apart = (costs[worse] - costs[better]) / max(1e-9, readily)
    follow = random.random(worse.size) >= np.exp(-apart)
    sources = np.arange(chains, dtype=np.uint32)
    sources[worse[follow]] = better[follow]
    return sources
