"""The arcs on which a node may be divided."""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.atsp.arborescence.workspace import CANDIDATES
from prunus.hardware.jit.compiled import inner

__all__ = ["choose", "is_free"]

RARE = 0.02
"""An arc chosen less often than in this part of the last steps, or missing less often, is none."""


@inner
def is_free(graph: Any, arc: Any):  # type: ignore[no-untyped-def]
    """Whether an arc is left and not forced."""
    n = graph.begin.size - 1
    for p in range(graph.begin[n]):
        if graph.arc[p] == arc:
            h, t = graph.head[p], graph.tail[p]
            if graph.begin[h + 1] - graph.begin[h] == 1:
                return False
            others = 0
            for q in range(graph.begin[n]):
                others += graph.tail[q] == t
            return others > 1
    return False


@inner
def choose(data: Any):  # type: ignore[no-untyped-def]
    """List the free arcs that the last 1-arborescences had about half of the time.

    If there are none, some free arc; returns how many.
    """
    tools = data.tools
    graph, usual, candidate = tools.graph, tools.climb.usual, tools.candidate
    n = graph.begin.size - 1
    m = graph.begin[n]
    for v in range(n):
        tools.leaving[v] = 0
    total = 0.0
    for p in range(m):
        tools.leaving[graph.tail[p]] += 1
        total += usual[graph.arc[p]]
    count = 0
    spare = np.int64(-1)
    for p in range(m):
        h, a = graph.head[p], graph.arc[p]
        if tools.leaving[graph.tail[p]] == 1 or graph.begin[h + 1] - graph.begin[h] == 1:
            continue
        spare = a
        part = usual[a] * n / max(total, 1e-300)
        score = min(part, 1 - part)
        if score < RARE or (count == CANDIDATES and score <= tools.score[count - 1]):
            continue
        if count < CANDIDATES:
            count += 1
        k = count - 1
        while k > 0 and tools.score[k - 1] < score:
            tools.score[k] = tools.score[k - 1]
            candidate[k] = candidate[k - 1]
            k -= 1
        tools.score[k] = score
        candidate[k] = a
    if count == 0 and spare >= 0:
        candidate[0] = spare
        return 1
    return count
