"""The options of a solve, checked against what a problem and its methods declare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from prunus.errors import OptionError
from prunus.model.problem import Problem
from prunus.model.registry import AnySpec, known_specs, spec_of
from prunus.model.scalar import choose, truth
from prunus.model.spec import AUTO, OptionSpec, OptionValue

GENERAL = (
    *("method", "devices", "executor", "time_limit", "stop", "initial_solution", "upper_bound"),
    *("seed", "display", "on_incumbent", "checkpoint", "checkpoint_every", "resume"),
)
"""The keywords of ``prunus.solve`` that every problem has."""

COMMON = ("method", "devices", "time_limit", "upper_bound", "seed", "checkpoint")
"""The most common of these, which the command line has as well."""

_OTHER_NAMES = {
    **dict.fromkeys(("timeout", "timelimit", "limit", "max_time", "seconds"), "time_limit"),
    **dict.fromkeys(("threads", "workers", "cores", "n_jobs", "gpus", "device"), "devices"),
    **dict.fromkeys(("verbose", "progress", "log"), "display"),
    **dict.fromkeys(("warm_start", "start_solution", "initial", "x0"), "initial_solution"),
    **dict.fromkeys(("cutoff", "ub", "upperbound"), "upper_bound"),
    **dict.fromkeys(("random_seed", "random_state", "rng"), "seed"),
    **dict.fromkeys(("callback",), "on_incumbent"),
    **dict.fromkeys(("algorithm", "solver"), "method"),
}
"""What other libraries call an option, and what it is called here."""


_CLOSE = 0.7
"""How alike two words must be, from 0 to 1, to take one for the other misspelt."""


def name_here(option: str) -> str | None:
    """Return what an option of other libraries is called here; None for any other word."""
    return _OTHER_NAMES.get(option.lower().strip("-").replace("-", "_"))


def closest(name: str, known: Iterable[str], general: Sequence[str] = GENERAL) -> str | None:
    """Return what a misspelt option was probably meant to be, or None.

    ``known`` are the options of a problem, ``general`` those of every solve.
    """
    import difflib

    words = [*known, *general]
    meant = name_here(name)
    if meant is not None and name not in words:
        return meant
    folded = name.lower().replace("-", "_")
    return next(iter(difflib.get_close_matches(folded, words, 1, _CLOSE)), None)


def checked_method(spec: AnySpec, method: object) -> str | None:
    """Return a method by its name, None for None.

    Raises ``OptionError`` if the problem has no such method.
    """
    return None if method is None else choose("method", method, spec.method_names)


def check_executor_use(problem: Problem, method: str | None, option: str = "executor") -> None:
    """Raise ``OptionError`` if a method, or any where none is named, is not for workers."""
    spec = spec_of(problem)
    if not any(each.executor for each in spec.methods):
        kind = type(problem).__name__
        raise OptionError(
            option, f"a problem of class {kind} is solved by one process; leave it out"
        )
    chosen = spec.method(method or spec.default_method)
    if chosen is not None and not chosen.executor:
        others = _others(spec, "executor")
        raise OptionError(option, f"method {chosen.name!r} is for one process; {others}")


def check_checkpoint_use(problem: Problem, method: str | None) -> None:
    """Raise ``OptionError`` if a method, or any where none is named, keeps no checkpoints."""
    spec = spec_of(problem)
    if spec.checkpoint is None:
        *most, last = (each.words.plural for each in known_specs() if each.checkpoint)
        kept, kind = f"{', '.join(most)} and {last}", type(problem).__name__
        raise OptionError("checkpoint", f"{kind} keeps none, only {kept} do; leave it out")
    chosen = spec.method(method or spec.default_method)
    if chosen is not None and not chosen.checkpoint:
        others = _others(spec, "checkpoint")
        raise OptionError("checkpoint", f"method {chosen.name!r} keeps none; {others}")


def check_device_use(problem: Problem, method: str | None, gpus: int) -> None:
    """Raise ``OptionError`` if a method that is named cannot use so many GPUs."""
    spec = spec_of(problem)
    chosen = spec.method(method or spec.default_method)
    if chosen is None or gpus == 0:
        return
    if not chosen.gpu:
        others = _others(spec, "gpu")
        raise OptionError("devices", f"method {chosen.name!r} is for cores; {others}")
    if gpus > 1 and not chosen.several_gpus:
        others = _others(spec, "several_gpus")
        raise OptionError("devices", f"method {chosen.name!r} is for one GPU; {others}")


def _others(spec: AnySpec, capability: str) -> str:
    able = [each.name for each in spec.methods if getattr(each, capability)]
    return f"leave it out, or take {' or '.join(able)}" if able else "leave it out"


def checked_options(
    spec: AnySpec,
    problem: Problem,
    options: Mapping[str, object],
    *,
    method: str | None,
    upper_bound: int | None,
) -> dict[str, OptionValue]:
    """Return the value of every option of a problem, the defaults included.

    ``options`` are what the user gave by keyword; ``method`` is the one asked for, checked, or None
    for the default; ``upper_bound`` the one given, or None.

    Raises ``OptionError`` for the first option that is not known, has a value that it cannot have,
    or does not go with the method.
    """
    chosen = method or spec.default_method
    known = [
        option
        for option in spec.options
        if option.taken_by(chosen) and (option.when_counting or not problem.counts_solutions)
    ]
    names = [option.name for option in known]
    for name in options:
        if name not in names:
            own = type(problem) is not spec.problem_class  # a class of the user's
            what = f"a {type(problem).__name__}" if own else spec.words.noun
            if any(option.name == name and option.methods for option in spec.options):
                what += f"'s method {chosen!r}"
            meant = closest(name, names)
            hint = f"; did you mean {{{meant}}}?" if meant else ""
            if name in {question.name for question in spec.questions}:
                hint = f"; ask it of the problem, with its method with_{name}"
            listed, every = (", ".join(f"{{{each}}}" for each in some) for some in (names, COMMON))
            listed = f"its options: {listed or 'none'}; those of every solve: {every}, …"
            raise OptionError(name, f"{hint} ({listed})", unknown=what)
    if upper_bound is not None:
        refusal = spec.refuses_upper_bound(problem)
        if refusal is not None:
            raise OptionError("upper_bound", refusal)
    found = {}
    for option in spec.options:
        given = option.name in options
        value = checked_value(option, options[option.name]) if given else AUTO
        below = upper_bound is not None and option.default_below is not None
        default = option.default_below if below else option.default
        found[option.name] = default if value == AUTO else value
    return found


def checked_value(option: OptionSpec, value: object) -> OptionValue:
    """Return the value of an option if it may have it, else raise ``OptionError``."""
    if option.choices:
        return choose(option.name, value, option.choices)
    if option.type is bool:
        return truth(option.name, value)
    if value is None:
        return None
    if option.type is float:
        if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
            raise OptionError(option.name, "is not a number", value)
        return float(value)
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or (option.least is not None and int(value) < option.least):  # type: ignore[call-overload]
        unit = f"number of {option.unit}" if option.unit else "whole number"
        least = "" if option.least is None else f" of at least {_power(option.least)}"
        raise OptionError(option.name, f"is not a {unit}{least}", value)
    return int(value)  # type: ignore[call-overload, no-any-return]


def _power(number: int) -> str:
    exponent = number.bit_length() - 1
    return f"2**{exponent}" if number == 2**exponent and exponent > 9 else str(number)
