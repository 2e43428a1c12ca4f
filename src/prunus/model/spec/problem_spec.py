"""All that the rest of the library knows of a problem, in one record."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Generic, TypeVar

from prunus.model.arrays import Int64Array
from prunus.model.spec.files import FormatSpec, JsonForm, Serializer, SolutionTable
from prunus.model.spec.instances import BenchCase, GeneratorSpec, InstanceSet, WarmUp
from prunus.model.spec.methods import AUTO, MethodSpec, OptionSpec, OptionValue
from prunus.model.spec.words import Fact, Words

P = TypeVar("P")
"""The class of a problem."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemSpec(Generic[P]):
    """All that the rest of the library knows of a problem."""

    kind: str
    """The word for it on the command line: ``"flowshop"``."""
    problem_class: type[P]
    """Its class, of which every instance and every instance of a subclass is one."""
    solver: str
    """The import path of the module that solves it, see `prunus.runtime.solver`."""
    words: Words[P]
    """How it reads."""
    methods: tuple[MethodSpec, ...]
    """The ways to solve it, the default first."""
    chooses: bool = False
    """Whether the solver chooses among the methods by the instance where none is named."""
    options: tuple[OptionSpec, ...] = ()
    """What else may be chosen."""
    questions: tuple[OptionSpec, ...] = ()
    """What may be changed about a problem that was read from a file, each by the problem's method
    ``with_NAME(value)``: the objective, for example."""
    refuses_upper_bound: Callable[[P], str | None] = lambda problem: None
    """Says of a problem why an ``upper_bound`` makes no sense, None if it does."""
    refuses_initial_solution: Callable[[P], str | None] = lambda problem: None
    """Says of a problem why an ``initial_solution`` makes no sense, None if it does."""
    as_solution: Callable[[P, Any], Int64Array] | None = None
    """Returns a solution of the user's as an array, or raises ``InputError``; None where
    ``evaluate`` checks it."""
    given_back: Callable[[P, Int64Array], Any] | None = None
    """Returns a solution as an array of the library that the problem's are of; None for NumPy."""
    signed: bool = False
    """Whether objectives may be negative, and so upper bounds."""
    formats: tuple[FormatSpec, ...] = ()
    """File formats, the default for writing first."""
    layouts: tuple[str, ...] = ()
    """What a row of a matrix may stand for, where a file leaves that open: ``"by-job"``."""
    no_file: Callable[[P], str] = lambda problem: "there is no file format for it"
    """Why an instance is not written to a file, where there are no formats."""
    generators: tuple[GeneratorSpec[P], ...] = ()
    """Kinds of generated instances."""
    sets: tuple[InstanceSet[P], ...] = ()
    """Published sets of generated instances."""
    data: Callable[[P], tuple[object, ...]] = lambda problem: ()
    """Returns what an instance consists of, apart from names: equal for equal instances."""
    labels: Callable[[P], tuple[object, ...]] = lambda problem: ()
    """Returns the names in an instance, apart from its own."""
    json: JsonForm[P] | None = None
    """How an instance is written as JSON; None where it cannot be."""
    checkpoint: Serializer[P] | None = None
    """How it is kept in a checkpoint; None if no method has any."""
    table: SolutionTable[P] | None = None
    """How a solution is written as a table."""
    facts: Callable[[P], Sequence[Fact]] = lambda problem: ()
    """Tells what can be told of an instance without solving it."""
    schedule: bool = False
    """Whether a solution is a schedule on machines, of which a Gantt chart can be drawn."""
    bench: Callable[[int], BenchCase[P]] | None = None
    """Returns what ``prunus bench`` solves: a small (0), medium (1) or large (2) instance."""
    warm_ups: tuple[WarmUp[P], ...] = ()
    """Instances whose solves compile what others of the kind need."""
    warm_up_options: Callable[[P], Iterable[Mapping[str, OptionValue]]] = lambda problem: ({},)
    """The options with which a problem must be solved to compile all of its methods."""

    @property
    def default_method(self) -> str:
        """The method where none is named."""
        return AUTO if self.chooses else self.methods[0].name

    @property
    def method_names(self) -> tuple[str, ...]:
        """What may be given for ``method=``."""
        names = tuple(method.name for method in self.methods)
        return (AUTO, *names) if self.chooses else names

    def method(self, name: str) -> MethodSpec | None:
        """Return a method by its name; None if there is no such method, or for ``"auto"``."""
        return next((method for method in self.methods if method.name == name), None)

    def load_solver(self) -> Any:
        """Import the module that solves the problem."""
        return import_module(self.solver)
