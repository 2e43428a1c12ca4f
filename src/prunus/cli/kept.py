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
    return None if kept.open_work is None else kept.open_work.count


def _search(kept: Checkpoint) -> str:
    if kept.open_work is None:
        return "not begun"
    if kept.complete:
        return "complete"
    return text.plural(kept.open_work.count, f"open {kept.open_work.unit}")
