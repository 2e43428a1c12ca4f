"""What a problem declares of itself, once: the records that everything else is made from.

A problem's folder has a ``spec.py`` with one `ProblemSpec`; ``prunus/problems.py`` lists them. From
a spec come the checks of options and their error sentences, the command line, file formats, named
instances, the words of results and displays, checkpoints, and tables in the documentation.

Specs are light: importing one brings neither Numba nor anything else that takes long. What is heavy
is named by its import path and imported when it is wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Generic, Protocol, Self, TypeAlias, TypeVar

import numpy as np

from prunus.model.arrays import AnyArray, Int64Array, Number

__all__ = [
    "AUTO",
    "JSON_FORMAT",
    "BenchCase",
    "Fact",
    "FormatSpec",
    "GeneratorSpec",
    "InstanceSet",
    "JsonForm",
    "MethodSpec",
    "OptionSpec",
    "OptionValue",
    "Parts",
    "Problem",
    "ProblemSpec",
    "Schedulable",
    "Serializer",
    "SolutionTable",
    "WarmUp",
    "Words",
]

AUTO = "auto"
"""The method that a solver with several chooses by itself."""

OptionValue: TypeAlias = str | int | bool | None
"""What an option may be set to."""

Parts: TypeAlias = tuple[dict[str, Any], dict[str, AnyArray]]
"""A problem taken apart for a file: what JSON can hold, and arrays by name."""


class Problem(Protocol):
    """What every problem has, a user's own included."""

    @property
    def name(self) -> str | None:
        """The name of the instance."""

    @property
    def maximise(self) -> bool:
        """Whether larger objectives are better."""

    @property
    def counts_solutions(self) -> bool:
        """Whether the answer is the number of solutions and not a solution."""

    def evaluate(self, solution: Any, /) -> Number | None:
        """Return the objective of a solution, computed plainly."""


class Schedulable(Problem, Protocol):
    """A problem whose solutions are schedules on machines, of which Gantt charts are drawn."""

    jobs: int
    machines: int
    job_names: tuple[str, ...] | None
    machine_names: tuple[str, ...] | None
    processing_times: Int64Array

    def completion_times(self, permutation: Any) -> Int64Array:
        """When the k-th job of a schedule leaves each machine, in row k."""


P = TypeVar("P")
"""The class of a problem."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionSpec:
    """One option of a problem.

    Attributes
    ----------
    name
        The keyword of ``prunus.solve``.
    meaning
        One sentence that says what it does.
    type
        ``str`` for a choice, ``bool`` or ``int``.
    choices
        The words that a choice may be.
    default
        What holds where the user says nothing; None leaves it to the solver.
    default_below
        What holds instead where an upper bound is given; None for the same.
    unit
        Of a number, e.g. ``"bytes"``.
    least
        The smallest number that is allowed.
    methods
        The methods that take it; all if empty.
    when_counting
        Whether it means anything for a problem whose solutions are counted.
    """

    name: str
    meaning: str
    type: type[str] | type[bool] | type[int] = str
    choices: tuple[str, ...] = ()
    default: OptionValue = None
    default_below: OptionValue = None
    unit: str = ""
    least: int | None = None
    methods: tuple[str, ...] = ()
    when_counting: bool = True

    def taken_by(self, method: str) -> bool:
        """Return whether a method takes this option."""
        return not self.methods or method == AUTO or method in self.methods


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodSpec:
    """One way to solve a problem, and where it runs.

    Attributes
    ----------
    name
        As given for ``method=``.
    meaning
        One sentence that says how it works.
    cpu, gpu, several_gpus
        Whether cores, one GPU and several GPUs of a machine can do it.
    executor
        Whether the workers of an executor can do it, on one machine or on many.
    checkpoint
        Whether its state can be kept in a file and resumed.
    deadline
        What an expired time limit leaves, e.g. ``"solution and bound"``.
    """

    name: str
    meaning: str
    cpu: bool = True
    gpu: bool = False
    several_gpus: bool = False
    executor: bool = False
    checkpoint: bool = False
    deadline: str = "solution and bound"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSpec:
    """One file format of a problem.

    Attributes
    ----------
    name
        As given for ``format=``.
    meaning
        What it looks like, in a few words.
    module
        The import path of the module that reads and writes it, see `prunus.files.formats`.
    suffixes
        The ends of file names, without the dot, for which it is chosen where none is asked for.
    reads, writes
        Whether it can be read, and written. (A table with tabs is read as any other table.)
    names
        Whether it has a place for the names of jobs, cities or items.
    separator
        Between the cells of a table, where the module writes several kinds.
    corners
        What the first cell of a table may be called to say that it is one of this format.
    several
        Whether a file may hold several instances, of which ``file#3`` names the third.
    long
        Whether telling it takes looking at all lines and not only at the first ones.
    """

    name: str
    meaning: str
    module: str
    suffixes: tuple[str, ...] = ()
    reads: bool = True
    writes: bool = True
    names: bool = False
    separator: str = ""
    corners: tuple[str, ...] = ()
    several: bool = False
    long: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneratorSpec(Generic[P]):
    """A kind of instances that are generated from a name, e.g. ``crane:15:1``.

    Attributes
    ----------
    form
        The name with its parameters in words: ``"crane:CITIES:SEED"``. A parameter ``CLASS`` is
        text, every other a whole number from 0.
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
    make: Callable[..., P]

    @property
    def kind(self) -> str:
        """What the name begins with."""
        return self.form.partition(":")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceSet(Generic[P]):
    """A published set of instances that are generated from their names, e.g. ``ta056``.

    Attributes
    ----------
    form
        Which names there are, in words: ``"ta001 to ta120"``.
    meaning
        What they are, for help texts.
    names
        All of them.
    pattern
        A regular expression, with one group for the number, that a name of such an instance has
        even if it is misspelt or out of range.
    canonical
        Returns the name for a number, e.g. ``"ta056"`` for 56.
    make
        Builds the problem of a name.
    """

    form: str
    meaning: str
    names: tuple[str, ...]
    pattern: str
    canonical: Callable[[int], str]
    make: Callable[[str], P]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words(Generic[P]):
    """How a problem reads where people see it.

    Attributes
    ----------
    noun
        With its article: ``"a flow shop"``.
    plural
        ``"flow shops"``.
    objective
        What the field calls the objective: ``"makespan"``.
    solution
        What the field calls a solution: ``"schedule"``.
    size
        Says how large a problem is: ``"20 jobs × 5 machines"``; empty for nothing.
    sizes
        The attributes that are its sizes, for machines: ``("jobs", "machines")``.
    bound
        Names the bound of a problem: ``"lower bound"``; None where its question has none. By
        default it follows from whether one maximises.
    names
        Returns the names of what a solution consists of, such as jobs; None where there are none.
    classes
        What a user makes an instance of, with its article, where that is not the class itself.
    branches
        Whether every method branches nodes, so that their number is worth showing from the start.
    explores
        Whether a space is searched, of which a fraction is done at each moment.
    """

    noun: str
    plural: str
    objective: Callable[[P], str]
    solution: str
    size: Callable[[P], str]
    sizes: tuple[str, ...] = ()
    bound: Callable[[P], str | None] | None = None
    names: Callable[[P], tuple[str, ...] | None] = lambda problem: None
    classes: str = ""
    branches: bool = True
    explores: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonForm(Generic[P]):
    """How an instance is written as a JSON object, apart from its name.

    Attributes
    ----------
    fields
        What the object may have.
    required
        What it must have.
    to_fields
        Returns the fields of an instance as plain types; None for what it has not.
    from_fields
        Makes an instance of fields and a name.
    """

    fields: tuple[str, ...]
    required: tuple[str, ...]
    to_fields: Callable[[P], dict[str, Any]]
    from_fields: Callable[[dict[str, Any]], P]

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
    """How a problem is kept in a checkpoint.

    Attributes
    ----------
    kind
        The word that stands for the problem in the file.
    to_parts
        Takes a problem apart.
    from_parts
        Puts it together again.
    check_given
        Checks that a problem which the user made again is the one in the file, and returns it;
        None where the file has all that is needed.
    """

    kind: str
    to_parts: Callable[[P], Parts]
    from_parts: Callable[[Mapping[str, Any], Mapping[str, AnyArray]], P]
    check_given: Callable[[Mapping[str, Any], Mapping[str, AnyArray], P], P] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SolutionTable(Generic[P]):
    """How a solution is written as a table.

    Attributes
    ----------
    rows
        Gives the heading and then the rows.
    column
        The column from which the solution is read back.
    distinct
        Whether an entry that is there again is the same one: a schedule has a row a machine.
    gaps
        Whether -1 stands for none: an agent may be without a job.
    """

    rows: Callable[[P, Int64Array], Iterator[tuple[str | int | float, ...]]]
    column: Callable[[P], str]
    distinct: bool = False
    gaps: bool = False


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of an instance, for people and for machines.

    Attributes
    ----------
    label
        What it is called before a colon; empty for what only machines are told.
    words
        How it reads; None for what only machines are told.
    value
        What machines read.
    name
        What it is called in JSON, by default the label with underscores; empty for what only
        people are told.
    """

    label: str
    words: str | None
    value: object = None
    name: str | None = None

    @property
    def field(self) -> str:
        """What it is called in JSON."""
        return self.label.replace(" ", "_") if self.name is None else self.name


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchCase(Generic[P]):
    """An instance that ``prunus bench`` solves, and what must come out.

    Attributes
    ----------
    instance
        How it is shown.
    make
        Generates it.
    unit
        In what its speed is measured: ``"nodes"``.
    work
        How much of that a solve of a problem with so many nodes has done.
    objective
        The optimum, or the count; None where the proof is that there is nothing.
    nodes
        How many nodes the proof branches, on any devices, where that is fixed.
    options
        Of ``prunus.solve``.
    """

    instance: str
    make: Callable[[], P]
    unit: str = "nodes"
    work: Callable[[P, int], float] = lambda problem, nodes: nodes
    objective: int | None = None
    nodes: int | None = None
    options: Mapping[str, OptionValue] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class WarmUp(Generic[P]):
    """An instance whose solve compiles what others of its kind need.

    Attributes
    ----------
    instance
        How it is shown.
    make
        Generates it.
    """

    instance: str
    make: Callable[[], P]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemSpec(Generic[P]):
    """All that the rest of the library knows of a problem.

    Attributes
    ----------
    kind
        The word for it on the command line: ``"flowshop"``.
    problem_class
        Its class, of which every instance and every instance of a subclass is one.
    solver
        The import path of the module that solves it, see `prunus.runtime.solver`.
    words
        How it reads.
    methods
        The ways to solve it, the default first.
    chooses
        Whether the solver chooses among the methods by the instance where none is named.
    options
        What else may be chosen.
    questions
        What may be changed about a problem that was read from a file, each by the problem's method
        ``with_NAME(value)``: the objective, for example.
    refuses_upper_bound
        Says of a problem why an ``upper_bound`` makes no sense, None if it does.
    refuses_initial_solution
        Says of a problem why an ``initial_solution`` makes no sense, None if it does.
    as_solution
        Returns a solution of the user's as an array, or raises ``InputError``; None where
        ``evaluate`` checks it.
    signed
        Whether objectives may be negative, and so upper bounds.
    formats
        File formats, the default for writing first.
    layouts
        What a row of a matrix may stand for, where a file leaves that open: ``"by-job"``.
    no_file
        Why an instance is not written to a file, where there are no formats.
    generators
        Kinds of generated instances.
    sets
        Published sets of generated instances.
    data
        Returns what an instance consists of, apart from names: equal for equal instances.
    labels
        Returns the names in an instance, apart from its own.
    json
        How an instance is written as JSON; None where it cannot be.
    checkpoint
        How it is kept in a checkpoint; None if no method has any.
    table
        How a solution is written as a table.
    facts
        Tells what can be told of an instance without solving it.
    schedule
        Whether a solution is a schedule on machines, of which a Gantt chart can be drawn.
    bench
        Returns what ``prunus bench`` solves: a small (0), medium (1) or large (2) instance.
    warm_ups
        Instances whose solves compile what others of the kind need.
    warm_up_options
        The options with which a problem must be solved to compile all of its methods.
    """

    kind: str
    problem_class: type[P]
    solver: str
    words: Words[P]
    methods: tuple[MethodSpec, ...]
    chooses: bool = False
    options: tuple[OptionSpec, ...] = ()
    questions: tuple[OptionSpec, ...] = ()
    refuses_upper_bound: Callable[[P], str | None] = lambda problem: None
    refuses_initial_solution: Callable[[P], str | None] = lambda problem: None
    as_solution: Callable[[P, Any], Int64Array] | None = None
    signed: bool = False
    formats: tuple[FormatSpec, ...] = ()
    layouts: tuple[str, ...] = ()
    no_file: Callable[[P], str] = lambda problem: "there is no file format for it"
    generators: tuple[GeneratorSpec[P], ...] = ()
    sets: tuple[InstanceSet[P], ...] = ()
    data: Callable[[P], tuple[object, ...]] = lambda problem: ()
    labels: Callable[[P], tuple[object, ...]] = lambda problem: ()
    json: JsonForm[P] | None = None
    checkpoint: Serializer[P] | None = None
    table: SolutionTable[P] | None = None
    facts: Callable[[P], Sequence[Fact]] = lambda problem: ()
    schedule: bool = False
    bench: Callable[[int], BenchCase[P]] | None = None
    warm_ups: tuple[WarmUp[P], ...] = ()
    warm_up_options: Callable[[P], Iterable[Mapping[str, OptionValue]]] = lambda problem: ({},)

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
