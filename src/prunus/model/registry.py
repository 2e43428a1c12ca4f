"""Which problems there are. ``prunus/problems.py`` fills this list when prunus is imported."""

from __future__ import annotations

from os import PathLike
from typing import Any, TypeAlias
from weakref import WeakKeyDictionary

from prunus.errors import InputError
from prunus.model.spec import ProblemSpec

AnySpec: TypeAlias = ProblemSpec[Any]

_SPECS: list[AnySpec] = []

_BY_CLASS: WeakKeyDictionary[type, AnySpec | None] = WeakKeyDictionary()
"""What was found for classes: a solve asks several times."""


def register(spec: AnySpec) -> None:
    """Add a problem."""
    _SPECS.append(spec)
    _BY_CLASS.clear()


def known_specs() -> tuple[AnySpec, ...]:
    return tuple(_SPECS)


def spec_for(problem: object) -> AnySpec | None:
    """Return the spec of a problem, or None for what is no problem."""
    kind = type(problem)
    try:
        return _BY_CLASS[kind]
    except KeyError:
        fitting = (spec for spec in _SPECS if issubclass(kind, spec.problem_class))
        return _BY_CLASS.setdefault(kind, next(fitting, None))


def spec_of(problem: object) -> AnySpec:
    """Return the spec of a problem.

    Raises ``InputError`` if it is no problem.
    """
    spec = spec_for(problem)
    if spec is not None:
        return spec
    *most, last = (each.words.classes or each.problem_class.__name__ for each in _SPECS)
    named = isinstance(problem, str | PathLike)
    hint = "; prunus.read makes one of a file or a name" if named else ""
    raise InputError(
        f"a problem is one of {', '.join(most)}, or {last}, not {type(problem).__name__}{hint}"
    )
