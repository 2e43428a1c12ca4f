"""How instances are kept in files: formats, JSON, checkpoints, solutions as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeAlias, TypeVar

import numpy as np

from prunus.model.arrays import AnyArray, Int64Array

P = TypeVar("P")
"""The class of a problem."""

Parts: TypeAlias = tuple[dict[str, Any], dict[str, AnyArray]]
"""A problem taken apart for a file: what JSON can hold, and arrays by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSpec:
    """One file format of a problem."""

    name: str
    """As given for ``format=``."""
    meaning: str
    """What it looks like, in a few words."""
    module: str
    """The import path of the module that reads and writes it, see `prunus.files.formats`."""
    suffixes: tuple[str, ...] = ()
    """The ends of file names, without the dot, for which it is chosen where none is asked for."""
    reads: bool = True
    writes: bool = True
    """Whether it can be read, and written. (A table with tabs is read as any other table.)"""
    names: bool = False
    """Whether it has a place for the names of jobs, cities or items."""
    separator: str = ""
    """Between the cells of a table, where the module writes several kinds."""
    corners: tuple[str, ...] = ()
    """What the first cell of a table may be called to say that it is one of this format."""
    several: bool = False
    """Whether a file may hold several instances, of which ``file#3`` names the third."""
    long: bool = False
    """Whether telling it takes looking at all lines and not only at the first ones."""


def table_formats(
    meaning: str, module: str, *, corners: tuple[str, ...] = (), long: bool = False
) -> tuple[FormatSpec, FormatSpec]:
    """Return the formats of a table that a module reads, and writes with commas or with tabs."""
    csv = FormatSpec(
        name="csv",
        meaning=meaning,
        module=module,
        corners=corners,
        suffixes=("csv",),
        names=True,
        separator=",",
        long=long,
    )
    return csv, FormatSpec(
        name="tsv",
        meaning="the same with tabs",
        module=module,
        suffixes=("tsv",),
        names=True,
        separator="\t",
        reads=False,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonForm(Generic[P]):
    """How an instance is written as a JSON object, apart from its name."""

    fields: tuple[str, ...]
    """What the object may have."""
    required: tuple[str, ...]
    """What it must have."""
    to_fields: Callable[[P], dict[str, Any]]
    """Returns the fields of an instance as plain types; None for what it has not."""
    from_fields: Callable[[dict[str, Any]], P]
    """Makes an instance of fields and a name."""

    @classmethod
    def of(cls, problem_class: type[P], required: Sequence[str], others: Sequence[str]) -> Self:
        """Return the form of a class whose arguments are its attributes."""
        names = (*required, *others)

        def to_fields(problem: P) -> dict[str, Any]:
            values = ((name, getattr(problem, name)) for name in names)
            return {
                name: value.tolist() if isinstance(value, np.ndarray) else value
                for name, value in values
            }

        return cls(
            fields=names,
            required=tuple(required),
            to_fields=to_fields,
            from_fields=lambda fields: problem_class(**fields),
        )


JSON_FORMAT = FormatSpec(
    name="json",
    meaning="JSON",
    module="prunus.files.json_instance",
    suffixes=("json",),
    names=True,
)
"""The format of every problem that has a `JsonForm`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Serializer(Generic[P]):
    """How a problem is kept in a checkpoint."""

    kind: str
    """The word that stands for the problem in the file."""
    to_parts: Callable[[P], Parts]
    """Takes a problem apart."""
    from_parts: Callable[[Mapping[str, Any], Mapping[str, AnyArray]], P]
    """Puts it together again."""
    check_given: Callable[[Mapping[str, Any], Mapping[str, AnyArray], P], P] | None = None
    """Checks that a problem which the user made again is the one in the file, and returns it; None
    where the file has all that is needed."""

    @classmethod
    def of(
        cls,
        kind: str,
        problem_class: type[P],
        words: Sequence[str],
        arrays: Mapping[str, str],
        optional: Sequence[str] = (),
    ) -> Self:
        """Return the form of a class whose arguments are its attributes.

        ``words`` are those for JSON, ``arrays`` the names of others by their names in the file;
        files of older versions may lack ``optional`` words.
        """

        def to_parts(problem: P) -> Parts:
            return (
                {name: getattr(problem, name) for name in (*words, *optional)},
                {part: getattr(problem, name) for part, name in arrays.items()},
            )

        def from_parts(found: Mapping[str, Any], parts: Mapping[str, AnyArray]) -> P:
            given = {name: found[name] for name in words}
            given |= {name: found[name] for name in optional if name in found}
            given |= {name: parts[part] for part, name in arrays.items()}
            return problem_class(**given)

        return cls(kind=kind, to_parts=to_parts, from_parts=from_parts)


@dataclass(frozen=True, slots=True, kw_only=True)
class SolutionTable(Generic[P]):
    """How a solution is written as a table."""

    rows: Callable[[P, Int64Array], Iterator[tuple[str | int | float, ...]]]
    """Gives the heading and then the rows."""
    column: Callable[[P], str]
    """The column from which the solution is read back."""
    distinct: bool = False
    """Whether an entry that is there again is the same one: a schedule has a row a machine."""
    gaps: bool = False
    """Whether -1 stands for none: an agent may be without a job."""
