"""Which problems there are. ``prunus/problems.py`` fills this list when prunus is imported."""

from __future__ import annotations

from typing import Any, TypeAlias

from prunus.model.spec import ProblemSpec

__all__ = ["AnySpec", "known_specs", "register", "spec_for", "spec_of_kind"]

AnySpec: TypeAlias = ProblemSpec[Any]

_SPECS: list[AnySpec] = []


def register(spec: AnySpec) -> None:
    """Add a problem."""
    _SPECS.append(spec)


def known_specs() -> tuple[AnySpec, ...]:
    """Return the specs of all problems."""
    return tuple(_SPECS)


def spec_for(problem: object) -> AnySpec | None:
    """Return the spec of a problem, or None for what is no problem."""
    return next((spec for spec in _SPECS if isinstance(problem, spec.problem_class)), None)


def spec_of_kind(kind: str) -> AnySpec | None:
    """Return the spec of a kind of problems, e.g. ``"flowshop"``; None if there is none."""
    return next((spec for spec in _SPECS if spec.kind == kind), None)
