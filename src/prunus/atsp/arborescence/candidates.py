"""The arcs on which a node may be divided."""

from __future__ import annotations

import numpy as np

from prunus.atsp.arborescence.workspace import MAX_CANDIDATES, Workspace
from prunus.atsp.graph import Graph
from prunus.hardware.jit.compiled import inner

MIN_SHARE = 0.02
"""An arc chosen in a smaller part of the last steps, or missing in one, is no candidate."""


@inner
def is_free(graph: Graph, arc: int) -> bool:
    """Return whether an arc is left and not forced."""
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
def choose_candidates(workspace: Workspace) -> int:
    """List the free arcs that the last 1-arborescences had about half of the time.

    If there are none, some free arc; returns how many.
    """
    graph, frequency, candidate = workspace.graph, workspace.memory.frequency, workspace.candidate
    n = graph.begin.size - 1
    m = graph.begin[n]
    for v in range(n):
        workspace.leaving[v] = 0
    total = 0.0
    for p in range(m):
        workspace.leaving[graph.tail[p]] += 1
        total += frequency[graph.arc[p]]
    count = 0
    spare = np.int64(-1)
    for p in range(m):
        h, a = graph.head[p], graph.arc[p]
        if workspace.leaving[graph.tail[p]] == 1 or graph.begin[h + 1] - graph.begin[h] == 1:
            continue
        spare = a
        part = frequency[a] * n / max(total, 1e-300)
        score = min(part, 1 - part)
        if score < MIN_SHARE or (count == MAX_CANDIDATES and score <= workspace.score[count - 1]):
            continue
        if count < MAX_CANDIDATES:
            count += 1
        k = count - 1
        while k > 0 and workspace.score[k - 1] < score:
            workspace.score[k] = workspace.score[k - 1]
            candidate[k] = candidate[k - 1]
            k -= 1
        workspace.score[k] = score
        candidate[k] = a
    if count == 0 and spare >= 0:
        candidate[0] = spare
        return 1
    return count
