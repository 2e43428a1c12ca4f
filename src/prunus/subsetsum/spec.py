"""What the library knows of subset sums."""

from __future__ import annotations

from collections.abc import Iterator

from prunus.model.arrays import Int64Array
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
    Serializer,
    SolutionTable,
    WarmUp,
    Words,
    table_formats,
)
from prunus.subsetsum.formats.random_instances import odd, planted
from prunus.subsetsum.problem import OBJECTIVES, SubsetSum


def _facts(problem: SubsetSum) -> list[Fact]:
    weights = problem.weights
    found = [
        Fact("target", str(problem.target), problem.target),
        Fact("question", problem.objective, problem.objective),
    ]
    if weights:
        bits = max(map(abs, weights)).bit_length()
        words = f"{min(weights)} to {max(weights)}, sum {sum(weights)}"
        value = {"least": min(weights), "greatest": max(weights), "sum": sum(weights)}
        found += [
            Fact("weights", words, value),
            Fact("bits", f"{bits} of the largest weight", bits),
        ]
    return found


def _items(problem: SubsetSum, chosen: Int64Array) -> Iterator[tuple[str | int, ...]]:
    """A row for each item of a subset."""
    names = problem.item_names
    yield (*headings("item", names), "weight")
    for item in chosen.tolist():
        yield (*cells(item, names), int(problem.weights[item]))


def _others(problem: SubsetSum) -> str | None:
    """Say how to learn whether the subset is the only one: a payment settles one of them."""
    if problem.objective != "sum":
        return None
    return 'not looked for; the objective "count" counts all that fit'


def _bench(size: int) -> BenchCase[SubsetSum]:
    items = (48, 56, 64)[size]
    name = f"subsetsum-odd:{items}:50:1"
    return BenchCase(
        instance=name,
        make=lambda: odd(name, items, 50, 1),
        unit="sums",
        # Of the two halves, of which pairs are sought.
        work=lambda problem, nodes: float(2 * 2 ** (problem.items // 2)),
        options={"divisor_test": False},
    )


SPEC = ProblemSpec(
    kind="subsetsum",
    problem_class=SubsetSum,
    solver="prunus.subsetsum.solver",
    words=Words(
        noun="a subset sum",
        plural="subset sums",
        objective=lambda problem: "solutions" if problem.counts_solutions else "sum",
        solution="subset",
        size=lambda problem: counted(problem.items, "item"),
        sizes=("items",),
        bound=lambda problem: None if problem.objective == "sum" else "upper bound",
        names=lambda problem: problem.item_names,
        others=_others,
        branches=False,
    ),
    methods=(
        MethodSpec(
            name="four-list",
            meaning="Four quarters, joined residue by residue (Schroeppel and Shamir).",
            gpu=True,
            several_gpus=True,
            executor=True,
            checkpoint=True,
            deadline="best sum or count so far",
        ),
        MethodSpec(
            name="two-list",
            meaning="Two sorted halves (Horowitz and Sahni) in chunks (Wan, Li and Li).",
            gpu=True,
            several_gpus=True,
            executor=True,
            checkpoint=True,
            deadline="best sum or count so far",
        ),
        MethodSpec(
            name="two-list-unsplit",
            meaning="Two sorted halves without chunks, as a baseline.",
            gpu=True,
            several_gpus=True,
            checkpoint=True,
            deadline="best sum or count so far",
        ),
        MethodSpec(
            name="bitset",
            meaning="Dynamic programming on bits, for small targets.",
            gpu=True,
            deadline="best sum or count so far",
        ),
        MethodSpec(
            name="lattice",
            meaning="LLL and BKZ (extra [lattice]), for few, large weights; it proves nothing.",
            deadline="nothing",
        ),
    ),
    chooses=True,
    options=(
        OptionSpec(
            name="memory",
            meaning="Memory that lists or bit sets may use in each process; by default 1 GiB, or "
            "half of the free memory if that is less.",
            type=int,
            unit="bytes",
            least=2**20,
        ),
        OptionSpec(
            name="divisor_test",
            meaning="First test whether the greatest common divisor divides the target.",
            type=bool,
            default=True,
        ),
    ),
    questions=(
        OptionSpec(
            name="objective",
            meaning="What to find: a subset with the sum, the largest sum not above it, or the "
            "number of subsets with the sum.",
            choices=OBJECTIVES,
            default="sum",
        ),
    ),
    refuses_upper_bound=lambda problem: "subset sum has none; its target says what is sought",
    refuses_initial_solution=lambda problem: "subset sum starts from none",
    formats=(
        FormatSpec(
            name="numbers",
            meaning="subset sums (number of items, weights, target)",
            module="prunus.subsetsum.formats.text",
            long=True,
        ),
        JSON_FORMAT,
        *table_formats(
            "a CSV table of items and weights with a row target",
            "prunus.subsetsum.formats.csv_table",
            long=True,
        ),
    ),
    generators=(
        GeneratorSpec(
            form="subsetsum:ITEMS:BITS:SEED",
            example="subsetsum:48:50:1",
            meaning="subset sum of random weights, half of which make the target",
            make=planted,
        ),
        GeneratorSpec(
            form="subsetsum-odd:ITEMS:BITS:SEED",
            example="subsetsum-odd:48:50:1",
            meaning="subset sum of even weights and an odd target: no subset",
            make=odd,
        ),
    ),
    json=JsonForm.of(SubsetSum, ("weights", "target"), ("objective", "item_names")),
    data=lambda problem: (problem.weights, problem.target, problem.objective),
    labels=lambda problem: (problem.item_names,),
    checkpoint=Serializer.of(
        "SubsetSum", SubsetSum, ("name", "item_names", "weights", "target", "objective"), {}
    ),
    table=SolutionTable(rows=_items, column=lambda problem: "item"),
    facts=_facts,
    bench=_bench,
    warm_ups=(
        WarmUp(instance="subsetsum:48:50:1", make=lambda: planted("subsetsum:48:50:1", 48, 50, 1)),
    ),
)
