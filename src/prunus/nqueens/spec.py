"""What the library knows of N-Queens."""

from __future__ import annotations

from collections.abc import Iterator

from prunus.model.arrays import Int64Array
from prunus.model.spec import (
    JSON_FORMAT,
    BenchCase,
    GeneratorSpec,
    JsonForm,
    MethodSpec,
    OptionSpec,
    ProblemSpec,
    Serializer,
    SolutionTable,
    WarmUp,
    Words,
)
from prunus.nqueens.problem import NQueens
from prunus.treesearch.options import STEALING


def _rows(problem: NQueens, columns: Int64Array) -> Iterator[tuple[str | int, ...]]:
    yield ("row", "column")
    yield from enumerate(columns.tolist())


def _bench(size: int) -> BenchCase[NQueens]:
    n, count = ((14, 365_596), (16, 14_772_512), (18, 666_090_624))[size]
    return BenchCase(instance=f"queens:{n}", make=lambda: NQueens(n), objective=count)


SPEC = ProblemSpec(
    kind="queens",
    problem_class=NQueens,
    solver="prunus.nqueens.solver",
    words=Words(
        noun="N-Queens",
        plural="N-Queens",
        objective=lambda problem: "solutions",
        solution="placement",
        size=lambda problem: f"{problem.n} × {problem.n} board",
        sizes=("n",),
    ),
    methods=(
        MethodSpec(
            name="bitmask",
            meaning="Counts all placements with bit masks, up to the symmetries of the board.",
            gpu=True,
            several_gpus=True,
            executor=True,
            checkpoint=True,
            deadline="count so far",
        ),
    ),
    options=(
        OptionSpec(
            name="symmetry",
            meaning="Which symmetries of the board are used: all eight, left and right only, "
            "or none.",
            choices=("all", "mirror", "none"),
            default="all",
        ),
        STEALING,
    ),
    refuses_upper_bound=lambda problem: "N-Queens counts placements, there is nothing to be below",
    refuses_initial_solution=lambda problem: "counting all placements of queens starts from none",
    formats=(JSON_FORMAT,),
    json=JsonForm(
        fields=("n",),
        required=("n",),
        to_fields=lambda problem: {"n": problem.n},
        from_fields=lambda fields: NQueens(fields["n"]),
    ),
    generators=(
        GeneratorSpec(
            form="queens:N",
            example="queens:16",
            meaning="count all solutions of the n-queens problem",
            make=lambda name, n: NQueens(n),
        ),
    ),
    checkpoint=Serializer.of("NQueens", NQueens, ("n",), {}),
    table=SolutionTable(rows=_rows, column=lambda problem: "column"),
    bench=_bench,
    warm_ups=(WarmUp(instance="queens:12", make=lambda: NQueens(12)),),
)
