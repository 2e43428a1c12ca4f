"""What the library knows of permutation flow shops."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from prunus.flowshop.flowtime.root import root_bound
from prunus.flowshop.formats.csv_matrix import JOB_WORDS, MACHINE_WORDS
from prunus.flowshop.formats.taillard import simple_lower_bound
from prunus.flowshop.formats.taillard_set import BEST_KNOWN, TIME_SEEDS, instance, random_times
from prunus.flowshop.problem import OBJECTIVES, FlowShop
from prunus.model.arrays import Int64Array
from prunus.model.facts import largest, spread
from prunus.model.labels import cells, counted, headings
from prunus.model.spec import (
    JSON_FORMAT,
    BenchCase,
    Fact,
    FormatSpec,
    GeneratorSpec,
    InstanceSet,
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
from prunus.treesearch.options import PROOF, STEALING


def _objective(problem: FlowShop) -> str:
    return "total flow time" if problem.objective == "flowtime" else "makespan"


def _facts(problem: FlowShop) -> list[Fact]:
    values = problem.processing_times
    flowtime = problem.objective == "flowtime"
    bound = root_bound(problem) if flowtime else simple_lower_bound(problem)
    found = [
        spread("times", values),
        largest("busiest machine", problem.machine_names, values.sum(axis=0)),
        largest("longest job", problem.job_names, values.sum(axis=1)),
        Fact("lower bound", f"{_objective(problem)} {bound} (loads alone)", bound),
    ]
    # A file may bear the name of an instance and hold another.
    name = "" if flowtime else problem.name or ""
    if name in BEST_KNOWN and np.array_equal(values, instance(name).processing_times):
        best = BEST_KNOWN[name]
        found.append(Fact("best known", f"makespan {best} (as published)", best))
    return found


def _operations(problem: FlowShop, schedule: Int64Array) -> Iterator[tuple[str | int, ...]]:
    """A row for each operation, in the order of the schedule."""
    jobs, machines = problem.job_names, problem.machine_names
    yield ("position", *headings("job", jobs), *headings("machine", machines), "start", "end")
    ends = problem.completion_times(schedule)
    for position, job in enumerate(schedule.tolist()):
        for machine in range(problem.machines):
            end = int(ends[position, machine])
            begin = end - int(problem.processing_times[job, machine])
            yield (position, *cells(job, jobs), *cells(machine, machines), begin, end)


def _bench(size: int) -> BenchCase[FlowShop]:
    name, optimum, nodes = (
        ("ta030", 2178, 2_415_779),
        ("ta029", 2237, 12_233_430),
        ("ta023", 2326, 2_862_864_770),
    )[size]
    return BenchCase(
        instance=f"{name}, optimum given",
        make=lambda: instance(name),
        nodes=nodes,
        options={"upper_bound": optimum},
    )


SPEC = ProblemSpec(
    kind="flowshop",
    problem_class=FlowShop,
    solver="prunus.flowshop.solver",
    words=Words(
        noun="a flow shop",
        plural="flow shops",
        objective=_objective,
        solution="schedule",
        size=lambda problem: (
            f"{counted(problem.jobs, 'job')} × {counted(problem.machines, 'machine')}"
        ),
        sizes=("jobs", "machines"),
        names=lambda problem: problem.job_names,
    ),
    methods=(
        MethodSpec(
            name="portfolio",
            meaning="Iterated greedy, beam search and tree search side by side, on cores and GPUs: "
            "proves optimality if that seems possible in time, otherwise improves the schedule "
            "until the limit. Over executors, as interval.",
            gpu=True,
            several_gpus=True,
            executor=True,
            checkpoint=True,
        ),
        MethodSpec(
            name="interval",
            meaning="Heuristics, then a search of the tree with one- or two-machine bounds.",
            gpu=True,
            several_gpus=True,
            executor=True,
            checkpoint=True,
        ),
        MethodSpec(
            name="beam",
            meaning="Bidirectional beam search with iterated greedy, for shops that are too large "
            "for a proof; the bound is that of the root. Beams of total flow times run on cores.",
            gpu=True,
            several_gpus=True,
        ),
    ),
    options=(
        OptionSpec(
            name="bound",
            meaning="The lower bound of a node: one machine at a time (lb1), pairs of machines "
            "(lb2), or the second for children that the first does not prune (mixed).",
            choices=("auto", "lb1", "lb2", "mixed"),
            default="auto",
            methods=("portfolio", "interval"),
        ),
        OptionSpec(
            name="branching",
            meaning="Whether a node's children continue the schedule at its front or at its end.",
            choices=("forward", "alternate", "minbranch", "minmin", "maxsum"),
            default="minbranch",
            methods=("portfolio", "interval"),
        ),
        OptionSpec(
            name="first_incumbent",
            meaning="Which heuristics run before and during the tree search: NEH, iterated greedy "
            "and beams (all; beams in a portfolio only), the first two, or the first.",
            choices=("all", "iterated-greedy", "neh", "none"),
            default="all",
            default_below="none",
            methods=("portfolio", "interval"),
        ),
        replace(PROOF, methods=("portfolio", "interval")),
        replace(STEALING, methods=("portfolio", "interval")),
    ),
    questions=(
        OptionSpec(
            name="objective",
            meaning="What to minimise: the makespan, or the total flow time (all completion times "
            "added up).",
            choices=OBJECTIVES,
            default="makespan",
        ),
    ),
    formats=(
        FormatSpec(
            name="taillard",
            meaning="Taillard's text ('number of jobs, …')",
            module="prunus.flowshop.formats.taillard",
            several=True,
            long=True,
        ),
        FormatSpec(
            name="matrix",
            meaning="a bare matrix (first line: jobs machines)",
            module="prunus.flowshop.formats.bare_matrix",
            long=True,
        ),
        FormatSpec(name="vfr", meaning="VFR", module="prunus.flowshop.formats.vfr", long=True),
        *table_formats(
            "a CSV table of jobs and machines",
            "prunus.flowshop.formats.csv_matrix",
            corners=(*JOB_WORDS, *MACHINE_WORDS),
            long=True,
        ),
        FormatSpec(
            name="long",
            meaning="a CSV table with a row for each operation: job, machine, duration",
            module="prunus.flowshop.formats.long_table",
            names=True,
            writes=False,
        ),
        JSON_FORMAT,
    ),
    layouts=("by-job", "by-machine"),
    generators=(
        GeneratorSpec(
            form="taillard:JOBS:MACHINES:SEED",
            example="taillard:50:20:1539989115",
            meaning="flow shop drawn by Taillard's generator, times 1 to 99",
            make=lambda name, *size_and_seed: FlowShop(random_times(*size_and_seed), name=name),
        ),
    ),
    sets=(
        InstanceSet(
            form="ta001 to ta120",
            meaning="Taillard's flow shops",
            names=tuple(TIME_SEEDS),
            pattern=r"ta[ _-]?([0-9]{1,9})",
            canonical=lambda number: f"ta{number:03}",
            make=instance,
        ),
    ),
    json=JsonForm.of(FlowShop, ("processing_times",), ("objective", "job_names", "machine_names")),
    data=lambda problem: (problem.processing_times, problem.objective),
    labels=lambda problem: (problem.job_names, problem.machine_names),
    checkpoint=Serializer.of(
        "FlowShop",
        FlowShop,
        ("name", "job_names", "machine_names"),
        {"problem": "processing_times"},
        optional=("objective",),
    ),
    table=SolutionTable(rows=_operations, column=lambda problem: "job", distinct=True),
    facts=_facts,
    schedule=True,
    bench=_bench,
    warm_ups=(WarmUp(instance="ta021", make=lambda: instance("ta021")),),
)
