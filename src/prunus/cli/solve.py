"""``prunus solve``: read an instance, solve it, show the answer and what proves it.

The options of the problems are those that their specs declare.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

from prunus import solution_file
from prunus.cli.commands import SEARCH, Argument, Option
from prunus.cli.options import (
    AsJson,
    CheckpointEvery,
    Dask,
    Devices,
    Gantt,
    Kind,
    Output,
    Quiet,
    TimeLimit,
    Trace,
    dask_client,
    problem_of,
)
from prunus.cli.report import Report
from prunus.cli.verbose import Verbose, log_events
from prunus.errors import OptionError
from prunus.model.options import checked_value
from prunus.model.problem import Problem
from prunus.model.registry import AnySpec, known_specs, spec_of
from prunus.model.spec import OptionSpec, OptionValue
from prunus.runtime.checkpoint import CHECKPOINT_INTERVAL_S
from prunus.solve import solve as search

Source = Annotated[
    str,
    Argument(
        metavar="FILE_OR_NAME",
        help="An instance file, a name (ta030, queens:12, …; prunus generate lists them), or "
        "FILE.py:NAME, a problem of your own.",
    ),
]


def _search_option(words: str, metavar: str | None = None) -> Option:
    return Option(words, metavar, SEARCH)


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def _methods() -> str:
    """Say which methods there are of the problems that have several."""
    found = [
        f"{spec.words.plural}: {_one_of([method.name for method in spec.methods])}"
        for spec in known_specs()
        if len(spec.methods) > 1
    ]
    return f"{_capital('; '.join(found))}. By default, the one that suits the instance."


def _one_of(words: Iterable[str]) -> str:
    *most, last = words
    return f"{', '.join(most)} or {last}" if most else last


UpperBound = Annotated[
    int | None, _search_option("Look only for solutions that are better than this.", "VALUE")
]
InitialSolution = Annotated[
    str | None,
    _search_option(
        "Start from this solution: a file, or names or 0-based indices separated by commas.",
        "FILE|LIST",
    ),
]
Seed = Annotated[int, _search_option("Seed for all random choices.")]
Method = Annotated[str | None, _search_option(_methods())]
CheckpointFile = Annotated[
    Path | None,
    _search_option("Keep the state of the search in this file, for prunus resume.", "FILE"),
]
Resume = Annotated[
    str,
    _search_option(
        "auto: continue from the checkpoint if it exists, otherwise start.", "never|auto"
    ),
]


def solve(
    source: Source,
    *,
    devices: Devices = "auto",
    dask: Dask = None,
    time_limit: TimeLimit = None,
    upper_bound: UpperBound = None,
    initial_solution: InitialSolution = None,
    seed: Seed = 0,
    method: Method = None,
    kind: Kind = None,
    checkpoint: CheckpointFile = None,
    checkpoint_every: CheckpointEvery = CHECKPOINT_INTERVAL_S,
    resume: Resume = "never",
    output: Output = None,
    gantt: Gantt = None,
    trace: Trace = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    verbose: Verbose = 0,
    **declared: OptionValue,
) -> int:
    """Solve an instance to proven optimality, or as well as a time limit allows.

    Ctrl-C stops the search and shows the best solution so far with its bound.
    With --checkpoint, prunus resume continues after a stop or a kill, and so does the same command
    with --resume auto.
    """
    given: dict[str, OptionValue] = {
        name: value for name, value in declared.items() if value is not None
    }
    problem = _asked(problem_of(source, kind), given)
    log_events(verbose)
    report = Report(output=output, gantt=gantt, trace=trace, as_json=as_json, quiet=quiet)
    report.prepare(problem, Path(source), checkpoint)
    if checkpoint is not None:
        solution_file.check_folder(checkpoint)
    options: dict[str, Any] = dict(given)
    if initial_solution is not None:
        options["initial_solution"] = solution_file.parse(problem, initial_solution)
    with dask_client(dask, problem, method) as executor:
        result = search(
            problem,
            method=method,
            devices=devices,
            executor=executor,
            time_limit=time_limit,
            upper_bound=upper_bound,
            seed=seed,
            checkpoint=checkpoint,
            checkpoint_every=checkpoint_every,
            resume=resume,
            display=not quiet,
            **options,
        )
    return report.give(result, checkpoint)


def _asked(problem: Problem, given: dict[str, OptionValue]) -> Problem:
    """Return the problem with the question that options ask; take those out."""
    own = {question.name for question in spec_of(problem).questions}
    for name in given:
        asked = [spec for spec in known_specs() if name in {each.name for each in spec.questions}]
        if asked and name not in own:
            those = " and ".join(spec.words.plural for spec in asked)
            raise OptionError(name, f"is for {those}, but this is {spec_of(problem).words.noun}")
    for question in spec_of(problem).questions:
        if question.name in given:
            value = checked_value(question, given.pop(question.name))
            problem = getattr(problem, f"with_{question.name}")(value)
    return problem


def _declared() -> list[inspect.Parameter]:
    """Return a parameter for each option that a problem declares."""
    found: dict[str, list[tuple[AnySpec, OptionSpec]]] = {}
    for spec in known_specs():
        for option in (*spec.options, *spec.questions):
            found.setdefault(option.name, []).append((spec, option))
    return [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=_annotation(declarations),
        )
        for name, declarations in found.items()
    ]


def _annotation(declarations: list[tuple[AnySpec, OptionSpec]]) -> Any:
    """Return the type of an option and what its help says."""
    kind = declarations[0][1].type
    unit = declarations[0][1].unit
    return Annotated[kind | None, _search_option(_help(declarations), unit.upper() or None)]


def _help(declarations: list[tuple[AnySpec, OptionSpec]]) -> str:
    """Say for which problems an option is, and what it may be; what it does where it is one."""
    meanings = {option.meaning: spec for spec, option in declarations}
    problems = ", ".join(spec.words.plural for spec, _ in declarations)
    choices = {option.choices for _, option in declarations}
    if len(meanings) == 1:
        (words,) = meanings
        listed = f": {_one_of(next(iter(choices)))}" if next(iter(choices)) else ""
        return f"{words.rstrip('.')}{listed} ({problems})."
    each = (f"{spec.words.plural}: {_one_of(option.choices)}" for spec, option in declarations)
    return f"{_capital('; '.join(each))}."


def _with_declared_options() -> inspect.Signature:
    signature = inspect.signature(solve, eval_str=True)
    *general, _ = signature.parameters.values()
    at = [parameter.name for parameter in general].index("kind")
    as_keywords = [
        parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY) for parameter in general[1:]
    ]
    parameters = [general[0], *as_keywords[: at - 1], *_declared(), *as_keywords[at - 1 :]]
    return signature.replace(parameters=parameters)


# What the command line makes its options from.
solve.__signature__ = _with_declared_options()  # type: ignore[attr-defined]
