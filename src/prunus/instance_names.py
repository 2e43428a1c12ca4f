"""Instances that need no file: ta056, queens:16, crane:15:1, …, as the problems declare them."""

from __future__ import annotations

import re

from prunus.errors import InputError
from prunus.model.problem import Problem
from prunus.model.registry import known_specs
from prunus.model.spec import GeneratorSpec, InstanceSet


def generators() -> dict[str, GeneratorSpec[Problem]]:
    """Return the kinds of generated instances, by what their names begin with."""
    return {kind.kind: kind for spec in known_specs() for kind in spec.generators}


def instance_sets() -> tuple[InstanceSet[Problem], ...]:
    return tuple(found for spec in known_specs() for found in spec.sets)


def _in_set(text: str) -> tuple[InstanceSet[Problem], str] | None:
    """Return the set of which a text is a name, well or badly written, and the name."""
    for found in instance_sets():
        match = re.fullmatch(found.pattern, text.strip(), re.IGNORECASE)
        if match is not None:
            return found, found.canonical(int(match[1]))
    return None


def published_name(text: str) -> str | None:
    """Return ``"ta056"`` for ``"ta056"``, ``"Ta056"``, ``"ta56"``; None for anything else."""
    found = _in_set(text)
    return found[1] if found is not None and found[1] in found[0].names else None


def looks_like_a_name(text: str) -> bool:
    """Tell whether a text was meant as the name of an instance rather than as a path."""
    kind = text.strip().casefold().partition(":")[0]
    return kind in generators() or _in_set(text) is not None


def build(text: str) -> Problem:
    """Generate the instance of a name.

    Raises ``InputError`` if there is no such name, with those that come close and the list of
    kinds.
    """
    found = _in_set(text)
    if found is not None:
        known, name = found
        if name not in known.names:
            raise InputError(f"there is no instance {text}; {known.meaning} are {known.form}")
        return known.make(name)
    kind, *parameters = text.strip().casefold().split(":")
    generator = generators().get(kind)
    if generator is None:
        raise InputError(_unknown(text))
    wanted = generator.form.split(":")[1:]
    if len(parameters) != len(wanted):
        raise InputError(
            f"{text}: a name of this kind is {generator.form}, for example {generator.example}"
        )
    numbers: list[int | str] = []
    for word, parameter in zip(wanted, parameters, strict=True):
        if word == "CLASS":
            numbers.append(parameter)
            continue
        if not re.fullmatch(r"[0-9]{1,18}", parameter):
            raise InputError(
                f"{text}: {word} must be a whole number from 0 of at most 18 digits, "
                f"got {parameter[:40]!r}; "
                f"for example {generator.example}"
            )
        numbers.append(int(parameter))
    canonical = ":".join((kind, *map(str, numbers)))
    try:
        return generator.make(canonical, *numbers)
    except InputError as error:
        raise InputError(f"{text}: {error}") from None


def _unknown(text: str) -> str:
    import difflib

    kind, *parameters = text.strip().casefold().split(":")
    published = [name for found in instance_sets() for name in found.names]
    close = difflib.get_close_matches(kind, [*published, *generators()], n=3, cutoff=0.6)
    examples = [_completed(name, parameters) for name in close]
    hint = f" did you mean {' or '.join(examples)}?" if examples else ""
    if not examples:
        forms = [found.form for found in instance_sets()]
        kinds = ", ".join((*forms, *(f"{name}:…" for name in generators())))
        hint = f" instances that need no file are {kinds}; prunus generate tells their forms"
    return f"there is no file and no instance {text[:80]!r};{hint}"


def _completed(name: str, parameters: list[str]) -> str:
    """Return a name with the parameters that the user gave, or those of an example."""
    generator = generators().get(name)
    if generator is None:
        return name
    fits = len(parameters) == generator.form.count(":")
    return ":".join((name, *parameters)) if fits else generator.example
