"""What all problems that users define have in common: a class says what a node of the tree is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from prunus.custom.instance_data import checked_datum, checked_size, data_class
from prunus.custom.misspelt import resembled
from prunus.errors import InputError
from prunus.model.labels import counted

MOST_ITEMS = 1024
MOST_STATE = 4096


class CustomProblem:
    """What all problems of users have in common; see `PermutationProblem`, `ArrayProblem`."""

    maximise: bool = False
    counts_solutions: bool = False
    bits: ClassVar[int] = 64
    repeating: ClassVar[bool]
    """Whether a value may be fixed again further down."""

    data: Any
    state: int
    name: str | None

    def __init_subclass__(cls, **arguments: Any) -> None:
        """Refuse class attributes that look like misspelt ones, which would do nothing."""
        super().__init_subclass__(**arguments)
        known = {name for kind in _users(cls) for name in vars(kind)}
        for name, value in vars(cls).items():
            if hasattr(CustomProblem, name):
                continue
            meant = resembled(name, value, repeating=getattr(cls, "repeating", False))
            if meant is not None and meant not in known:
                raise InputError(
                    f"{cls.__name__}.{name} is not an attribute that prunus knows; did you mean "
                    f"{meant}? If not, rename it"
                )
        for name in ("maximise", "counts_solutions"):
            if not isinstance(getattr(cls, name), bool):
                raise InputError(f"{cls.__name__}.{name} must be True or False")

    def _hold(self, state: Any, data: Mapping[str, Any], name: str | None) -> None:
        """Take what every problem has; for ``__init__`` alone."""
        kind = type(self).__name__
        self.state = checked_size(state, f"state of {kind}", 0, MOST_STATE)
        if not isinstance(data, Mapping):
            raise InputError(
                f"data of {kind} must be a mapping of names to arrays and whole numbers, "
                f"got {type(data).__name__}"
            )
        if self.bits not in (32, 64):
            raise InputError(f"bits of {kind} must be 32 or 64, got {self.bits!r}")
        values = (
            checked_datum(value, f"data of {kind}, {name!r}:") for name, value in data.items()
        )
        self.data = data_class(data)(*values)
        if name is not None and not isinstance(name, str):
            raise InputError(f"name of {kind} must be text, got {type(name).__name__}")
        self.name = name

    @property
    def radix(self) -> tuple[int, ...]:
        """The number of children at each level of the tree."""
        raise NotImplementedError

    def as_solution(self, solution: Any) -> list[int]:
        """Return a solution as a list; raise ``InputError`` if it is none."""
        raise NotImplementedError

    def evaluate(self, solution: Any, /) -> int | None:
        """Return the objective of a solution; None if it breaks a constraint."""
        raise InputError(
            f"{type(self).__name__} has no method evaluate: write one that computes the objective "
            "of a complete solution in plain Python, without descend and bound; every "
            "solution is checked with it"
        )

    def first_solutions(self) -> Iterable[Sequence[int]]:
        """Return solutions to start from, if there are good ones at hand; none by default.

        Returns
        -------
        iterable of sequences of int
        """
        return ()

    def __repr__(self) -> str:
        name = "" if self.name is None else f"{self.name!r}, "
        size = counted(len(self.radix), "position" if self.repeating else "item")
        return f"{type(self).__name__}({name}{size})"


def _users(kind: type[CustomProblem]) -> Iterator[type]:
    """Give a class and those it is made of, but for the library's."""
    for one in kind.__mro__:
        if issubclass(one, CustomProblem) and not one.__module__.startswith("prunus."):
            yield one
