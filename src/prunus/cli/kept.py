"""What a checkpoint holds, for ``prunus info``."""

from __future__ import annotations

from prunus.cli.fact import Fact
from prunus.runtime.checkpoint import Checkpoint
from prunus.view import text, wording

__all__ = ["facts"]


def facts(kept: Checkpoint) -> list[Fact]:
    """Return the facts of a checkpoint."""
    problem, so_far = kept.problem, "" if kept.complete else " so far"
    found = [
        Fact("checkpoint of", wording.title(problem), wording.identity(problem), "problem"),
        Fact("search", _search(kept), kept.complete, "complete"),
        Fact("", None, _open(kept), "open"),
        Fact("runtime", f"{text.duration(kept.elapsed)}{so_far}", kept.elapsed),
    ]
    words = text.count(kept.nodes) if kept.nodes or wording.branches(problem) else None
    found.append(Fact("nodes", words, kept.nodes))
    name = wording.objective_name(problem)
    if wording.counts_solutions(problem):
        found.append(Fact(name, f"{text.count(kept.leaves)}{so_far}", kept.leaves, "objective"))
    else:
        words = None if kept.objective is None else str(kept.objective)
        found.append(Fact(name, words, kept.objective, "objective"))
    called = {"method": kept.method, "upper_bound": kept.upper_bound, **kept.options}
    found += [
        Fact(option.replace("_", "-"), str(value), name="")
        for option, value in called.items()
        if value is not None
    ]
    solve = {**called, "seed": kept.seed}
    return [*found, Fact("", None, solve, "options")]


def _open(kept: Checkpoint) -> int | None:
    """Return how many intervals, or nodes of a pool, are open; None if none has been made."""
    if kept.pool is not None:
        return len(kept.pool["bound"])
    return None if kept.intervals is None else len(kept.intervals)


def _search(kept: Checkpoint) -> str:
    left = _open(kept)
    if kept.complete:
        return "complete"
    if left is None:
        return "not begun"
    return text.plural(left, "open interval" if kept.pool is None else "open node")
