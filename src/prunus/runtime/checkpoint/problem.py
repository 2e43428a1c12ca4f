"""Problems as the parts of a checkpoint: a kind, numbers and names for JSON, arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prunus.errors import InputError, OptionError
from prunus.model.arrays import AnyArray
from prunus.model.problem import Problem
from prunus.model.registry import known_specs, spec_of
from prunus.model.spec import Parts


def to_parts(problem: Problem) -> Parts:
    """Take a problem apart.

    Raises ``InputError`` if problems of this class have no checkpoints.
    """
    form = spec_of(problem).checkpoint
    if form is None:
        raise InputError(f"{type(problem).__name__} keeps no checkpoints")
    words, arrays = form.to_parts(problem)
    return {"kind": form.kind, **words}, arrays


def from_parts(
    words: Mapping[str, Any], arrays: Mapping[str, AnyArray], given: Problem | None = None
) -> Any:
    """Put a problem together again; ``given`` is a user's own that is already made again."""
    kind = words["kind"]
    forms = (spec.checkpoint for spec in known_specs())
    form = next((form for form in forms if form is not None and form.kind == kind), None)
    if form is None:
        raise InputError(f"it is of a {kind}, which this version of prunus does not know")
    if given is None:
        return form.from_parts(words, arrays)
    if form.check_given is None:
        raise OptionError("problem", f"the checkpoint holds its {kind}; leave it out")
    return form.check_given(words, arrays, given)
