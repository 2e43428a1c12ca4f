"""What the library knows of 0-1 knapsacks."""

from __future__ import annotations

from collections.abc import Iterator

from prunus.knapsack.formats import classes
from prunus.knapsack.formats.multigroup import named as multigroup
from prunus.knapsack.problem import Knapsack
from prunus.model.arrays import Int64Array
from prunus.model.facts import spread
from prunus.model.labels import cells, counted, headings
from prunus.model.spec import (
    JSON_FORMAT,
    BenchCase,
    Fact,
    FormatSpec,
    GeneratorSpec,
    JsonForm,
    MethodSpec,
    OptionSpec,
    ProblemSpec,
    SolutionTable,
    WarmUp,
    Words,
    table_formats,
)


def _facts(problem: Knapsack) -> list[Fact]:
    total = int(problem.weights.sum())
    share = f", {100 * problem.capacity / total:.4g} % of all weight" if total else ""
    found = [Fact("capacity", f"{problem.capacity}{share}", problem.capacity)]
    if problem.items:
        found += [spread("profits", problem.profits), spread("weights", problem.weights)]
    return found


def _items(problem: Knapsack, chosen: Int64Array) -> Iterator[tuple[str | int, ...]]:
    """A row for each item in the knapsack."""
    names = problem.item_names
    yield (*headings("item", names), "profit", "weight")
    for item in chosen.tolist():
        yield (*cells(item, names), int(problem.profits[item]), int(problem.weights[item]))


def _paper(items: int) -> Knapsack:
    return classes.generate("paper", items, 1000, 1, f"knapsack:paper:{items}:1000:1")


def _bench(size: int) -> BenchCase[Knapsack]:
    items, profit = ((1000, 287_052), (3000, 849_324), (20_000, 5_699_983))[size]
    return BenchCase(
        instance=f"dense, {items} items",
        make=lambda: _paper(items),
        unit="cells",
        work=lambda problem, nodes: float(problem.items * (problem.capacity + 1)),
        objective=profit,
        # Every capacity is asked for, so that no cell of the table can be left out.
        options={"method": "dense", "profile": True},
    )


SPEC = ProblemSpec(
    kind="knapsack",
    problem_class=Knapsack,
    solver="prunus.knapsack.solver",
    words=Words(
        noun="a knapsack",
        plural="knapsacks",
        objective=lambda problem: "profit",
        solution="items",
        size=lambda problem: counted(problem.items, "item"),
        sizes=("items",),
        names=lambda problem: problem.item_names,
        branches=False,
    ),
    methods=(
        MethodSpec(
            name="core",
            meaning="The expanding core: only items near the break item are considered.",
        ),
        MethodSpec(
            name="dense",
            meaning="Bellman's recursion over all capacities.",
            gpu=True,
            several_gpus=True,
        ),
        MethodSpec(
            name="groups",
            meaning="Decides how many items of each band of nearly equal weights to take, "
            "then which ones.",
        ),
    ),
    chooses=True,
    options=(
        OptionSpec(
            name="profile",
            meaning="Compute the optimum of every capacity, with the dense method.",
            type=bool,
            default=False,
        ),
        OptionSpec(
            name="exchange",
            meaning="Whether several GPUs exchange values directly (peer) or through the memory of "
            "the host.",
            choices=("peer", "host"),
            default="peer",
        ),
    ),
    refuses_upper_bound=lambda problem: (
        "a knapsack is maximised; give a choice to start from as {initial_solution}"
    ),
    formats=(
        FormatSpec(
            name="kplib",
            meaning="knapsacks of kplib and of Pisinger's and Jooken's generators",
            module="prunus.knapsack.formats.text",
        ),
        *table_formats(
            "a CSV table with columns profit and weight", "prunus.knapsack.formats.csv_table"
        ),
        FormatSpec(
            name="series",
            meaning="Pisinger's published series",
            module="prunus.knapsack.formats.series",
            writes=False,
            several=True,
        ),
        JSON_FORMAT,
    ),
    generators=(
        GeneratorSpec(
            form="knapsack:CLASS:ITEMS:RANGE:SEED",
            example="knapsack:strongly:1000:1000:50",
            meaning=f"knapsack of a class of the literature: {', '.join(classes.CLASSES)}",
            make=lambda name, kind, n, r, seed: classes.generate(kind, n, r, seed, name),
        ),
        GeneratorSpec(
            form="multigroup:ITEMS:CAPACITY:GROUPS:SMALL_PERCENT:NOISE:SPREAD:SEED",
            example="multigroup:400:1000000:6:30:1:200:1",
            meaning="noisy multi-group knapsack; noise in hundred thousandths",
            make=multigroup,
        ),
    ),
    json=JsonForm.of(Knapsack, ("profits", "weights", "capacity"), ("item_names",)),
    data=lambda problem: (problem.profits, problem.weights, problem.capacity),
    labels=lambda problem: (problem.item_names,),
    table=SolutionTable(rows=_items, column=lambda problem: "item"),
    facts=_facts,
    bench=_bench,
    warm_ups=(WarmUp(instance="knapsack:paper:1000:1000:1", make=lambda: _paper(1000)),),
)
