"""``prunus info``: what is installed and there to compute with, or facts of a file."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Annotated

from prunus.cli.commands import Argument
from prunus.cli.console import answer
from prunus.cli.machine import machine
from prunus.cli.options import AsJson, Kind, OwnProblem, problem_of
from prunus.custom.python_file import load_problem
from prunus.errors import printable
from prunus.model.problem import Problem
from prunus.model.registry import spec_of
from prunus.model.spec import Fact
from prunus.read import named_instance
from prunus.runtime.checkpoint import Checkpoint, read_checkpoint
from prunus.runtime.checkpoint.container import is_checkpoint
from prunus.view import text, wording


def info(
    source: Annotated[
        str | None,
        Argument(
            metavar="FILE_OR_NAME",
            help="Show the facts of this instance or checkpoint.",
        ),
    ] = None,
    kind: Kind = None,
    problem: OwnProblem = None,
    as_json: AsJson = False,
) -> None:
    """Show versions, processors, GPUs and extras, or the facts of an instance or checkpoint."""
    if source is None:
        found = machine()
    elif is_checkpoint(source) and named_instance(source) is None:
        given = None if problem is None else load_problem(problem)
        found = _of_checkpoint(read_checkpoint(source, given))
    else:
        found = _of_instance(problem_of(source, kind))
    answer(json.dumps(as_dict(found)) if as_json else "\n".join(as_lines(found)))


MAX_LETTERS = 100
"""Of a fact in a line: names in a file may be of any length."""


def as_lines(facts: Iterable[Fact]) -> list[str]:
    """Return a line for each fact, aligned; words of a file give no orders to the terminal."""
    told = [
        (printable(fact.label), _shortened(printable(fact.words)))
        for fact in facts
        if fact.words is not None
    ]
    width = max(len(label) for label, _ in told)
    return [f"{label:<{width}}  {words}" for label, words in told]


def _shortened(words: str) -> str:
    """Return the beginning and the end of what is long."""
    most, end = MAX_LETTERS, MAX_LETTERS // 5
    return words if len(words) <= most else f"{words[: most - end - 3]} … {words[-end:]}"


def as_dict(facts: Iterable[Fact]) -> dict[str, object]:
    """Return the values by their names."""
    return {fact.field: fact.value for fact in facts if fact.field}


def _of_instance(problem: Problem) -> list[Fact]:
    title = Fact("instance", wording.title(problem), wording.identity(problem), "problem")
    return [title, *spec_of(problem).facts(problem)]


def _of_checkpoint(checkpoint: Checkpoint) -> list[Fact]:
    problem, so_far = checkpoint.problem, "" if checkpoint.complete else " so far"
    left = None if checkpoint.open_work is None else checkpoint.open_work.count
    runtime = f"{text.duration(checkpoint.elapsed)}{so_far}"
    found = [
        Fact("checkpoint of", wording.title(problem), wording.identity(problem), "problem"),
        Fact("search", _progress(checkpoint), checkpoint.complete, "complete"),
        Fact("", None, left, "open"),
        Fact("runtime", runtime, checkpoint.elapsed),
    ]
    shown = checkpoint.nodes or wording.branches(problem)
    nodes = text.count(checkpoint.nodes) if shown else None
    found.append(Fact("nodes", nodes, checkpoint.nodes))
    name = wording.objective_name(problem)
    if wording.counts_solutions(problem):
        words = f"{text.count(checkpoint.leaves)}{so_far}"
        found.append(Fact(name, words, checkpoint.leaves, "objective"))
    else:
        value = None if checkpoint.objective is None else str(checkpoint.objective)
        found.append(Fact(name, value, checkpoint.objective, "objective"))
        bound = None if checkpoint.bound is None else str(checkpoint.bound)
        found.append(Fact("bound", bound, checkpoint.bound))
    called = {
        "method": checkpoint.method,
        "upper_bound": checkpoint.upper_bound,
        **checkpoint.options,
    }
    found += [
        Fact(option.replace("_", "-"), str(value), name="")
        for option, value in called.items()
        if value is not None
    ]
    return [*found, Fact("", None, {**called, "seed": checkpoint.seed}, "options")]


def _progress(checkpoint: Checkpoint) -> str:
    work = checkpoint.open_work
    if work is None:
        return "not begun"
    return "complete" if checkpoint.complete else text.plural(work.count, f"open {work.unit}")
