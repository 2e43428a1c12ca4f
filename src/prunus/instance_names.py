"""Instances that need no file: ta056, queens:16, crane:15:1, …

Each kind is a row of a table: what its name looks like, what it means, how it is built.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from typing import NamedTuple

from prunus.atsp.formats.random_instances import crane, tsmat
from prunus.errors import InputError
from prunus.flowshop.formats.taillard_set import TIME_SEEDS, instance, random_times
from prunus.knapsack.formats import classes as knapsack_classes
from prunus.knapsack.formats import multigroup as knapsack_multigroup
from prunus.problems import ATSP, FlowShop, NQueens, Problem
from prunus.subsetsum.formats import random_instances as random_subsetsum

__all__ = ["GENERATORS", "Generator", "build", "looks_like_a_name", "taillard_name"]


class Generator(NamedTuple):
    """A kind of generated instance.

    Attributes
    ----------
    form
        The name with its parameters in words, e.g. ``"crane:CITIES:SEED"``.
    example
        A name that works.
    meaning
        What it is, for help texts.
    make
        Builds the problem from its canonical name and its parameters.
    """

    form: str
    example: str
    meaning: str
    make: Callable[..., Problem]


GENERATORS = {
    "taillard": Generator(
        "taillard:JOBS:MACHINES:SEED",
        "taillard:50:20:1539989115",
        "flow shop drawn by Taillard's generator, times 1 to 99",
        lambda name, *size_and_seed: FlowShop(random_times(*size_and_seed), name=name),
    ),
    "queens": Generator(
        "queens:N",
        "queens:16",
        "count all solutions of the n-queens problem",
        lambda _, n: NQueens(n),
    ),
    "crane": Generator(
        "crane:CITIES:SEED",
        "crane:15:1",
        "ATSP of a crane's moves, nearly Euclidean",
        lambda name, cities, seed: ATSP(crane(cities, seed), name=name),
    ),
    "tsmat": Generator(
        "tsmat:CITIES:SEED",
        "tsmat:15:1",
        "ATSP of random distances closed under shortest paths",
        lambda name, cities, seed: ATSP(tsmat(cities, seed), name=name),
    ),
    "knapsack": Generator(
        "knapsack:CLASS:ITEMS:RANGE:SEED",
        "knapsack:strongly:1000:1000:50",
        f"knapsack of a class of the literature: {', '.join(knapsack_classes.CLASSES)}",
        lambda name, kind, n, r, seed: knapsack_classes.generate(kind, n, r, seed, name),
    ),
    "multigroup": Generator(
        "multigroup:ITEMS:CAPACITY:GROUPS:SMALL_PERCENT:NOISE:SPREAD:SEED",
        "multigroup:400:1000000:6:30:1:200:1",
        "noisy multi-group knapsack; noise in hundred thousandths",
        knapsack_multigroup.named,
    ),
    "subsetsum": Generator(
        "subsetsum:ITEMS:BITS:SEED",
        "subsetsum:48:50:1",
        "subset sum of random weights, half of which make the target",
        random_subsetsum.planted,
    ),
    "subsetsum-odd": Generator(
        "subsetsum-odd:ITEMS:BITS:SEED",
        "subsetsum-odd:48:50:1",
        "subset sum of even weights and an odd target: no subset",
        random_subsetsum.odd,
    ),
}
"""The kinds of generated instances, besides Taillard's own ta001 to ta120."""

_TAILLARD = re.compile(r"ta[ _-]?([0-9]{1,9})", re.IGNORECASE)


def taillard_name(text: str) -> str | None:
    """Return ``"ta056"`` for ``"ta056"``, ``"Ta056"``, ``"ta56"``; None for anything else."""
    match = _TAILLARD.fullmatch(text.strip())
    name = f"ta{int(match[1]):03}" if match else None
    return name if name in TIME_SEEDS else None


def looks_like_a_name(text: str) -> bool:
    """Tell whether a text was meant as the name of an instance rather than as a path."""
    kind = text.strip().casefold().partition(":")[0]
    return kind in GENERATORS or bool(_TAILLARD.fullmatch(text.strip()))


def build(text: str) -> Problem:
    """Generate the instance of a name.

    Raises
    ------
    InputError
        If there is no such name, with those that come close and the list of kinds.
    """
    name = taillard_name(text)
    if name is not None:
        return instance(name)
    if _TAILLARD.fullmatch(text.strip()):
        raise InputError(f"there is no instance {text}; Taillard's are ta001 to ta120")
    kind, *parameters = text.strip().casefold().split(":")
    if kind not in GENERATORS:
        raise InputError(_unknown(text))
    generator = GENERATORS[kind]
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
    kind, *parameters = text.strip().casefold().split(":")
    close = difflib.get_close_matches(kind, [*TIME_SEEDS, *GENERATORS], n=3, cutoff=0.6)
    examples = [_completed(name, parameters) for name in close]
    hint = f" did you mean {' or '.join(examples)}?" if examples else ""
    if not examples:
        kinds = ", ".join(f"{name}:…" for name in GENERATORS)
        hint = f" instances that need no file are ta001 to ta120, {kinds}"
        hint += "; prunus generate tells their forms"
    return f"there is no file and no instance {text[:80]!r};{hint}"


def _completed(name: str, parameters: list[str]) -> str:
    """Return a name with the parameters that the user gave, or those of an example."""
    if name not in GENERATORS:
        return name
    generator = GENERATORS[name]
    fits = len(parameters) == generator.form.count(":")
    return ":".join((name, *parameters)) if fits else generator.example
