"""``prunus compile``: have compiled beforehand what solving takes, as for a container's image."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from time import perf_counter
from typing import Annotated, Any

import numpy as np
import typer

from prunus.assignment.problem import Assignment
from prunus.atsp.problem import ATSP
from prunus.cli.each import EachDevice, each_device
from prunus.cli.exit_code import ExitCode
from prunus.cli.options import Quiet
from prunus.cli.say import answer, error
from prunus.cli.source import problem_of
from prunus.errors import PrunusError
from prunus.hardware.devices import available_cores
from prunus.model.spec import Problem
from prunus.read import read
from prunus.solve import solve
from prunus.view import text

__all__ = ["compile_ahead"]

_MOMENT = 2.0
"""Seconds for which each instance is solved, at most."""


def _draw() -> np.random.Generator:
    return np.random.default_rng(1)


_SIZE = 1600
"""Rows of an assignment: from 1500 on its cores work together."""

_USUAL: dict[str, Callable[[], Problem]] = {
    "ta021": lambda: read("ta021"),
    "queens:12": lambda: read("queens:12"),
    "tsmat:20:2": lambda: read("tsmat:20:2"),
    "knapsack:paper:1000:1000:1": lambda: read("knapsack:paper:1000:1000:1"),
    "subsetsum:48:50:1": lambda: read("subsetsum:48:50:1"),
    "assignment, floats": lambda: Assignment(_draw().random((_SIZE, _SIZE))),
    "assignment, integers": lambda: Assignment(_draw().integers(0, 10**6, (_SIZE, _SIZE))),
    "assignment, points": lambda: Assignment.from_points(_draw().random((_SIZE, 2)), maximize=True),
}
"""An instance of every kind; what others of a kind need is compiled when they are solved."""


def compile_ahead(
    instances: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILE_OR_NAME",
            help="What will be solved, FILE.py:NAME too; by default an instance of every problem.",
            show_default=False,
        ),
    ] = None,
    devices: EachDevice = None,
    quiet: Quiet = False,
) -> int:
    """Compile what solving takes, once, so that no first solve has to wait.

    Each instance is solved for a moment, by a process of its own on each of the devices.
    """
    if quiet:
        warnings.simplefilter("ignore")
    for name in instances or ():
        problem_of(name)
    where = each_device(devices, "compiling")
    begun, code = perf_counter(), ExitCode.PROVEN
    wanted = [(name, words) for words in where for name in instances or _USUAL]
    width = max(len(f"{name}  {words}") for name, words in wanted)
    with _processes(len(wanted)) as pool:
        jobs: dict[Future[float], str] = {}
        for name, words in wanted:
            gap = width - len(name) - len(words)
            jobs[pool.submit(_compile, name, words)] = f"{name}{' ' * gap}{words}"
        for job in as_completed(jobs):
            try:
                answer(f"{jobs[job]}  {text.duration(job.result())}")
            except (PrunusError, MemoryError) as problem:
                error(f"{jobs[job]}: {problem}")
                code = ExitCode.FAILURE
            except BrokenExecutor:
                error("a process that compiled was ended, perhaps for want of memory")
                return int(ExitCode.FAILURE)
    answer(f"compiled in {text.duration(perf_counter() - begun)}")
    return int(code)


@contextmanager
def _processes(most: int) -> Iterator[ProcessPoolExecutor]:
    """Give processes, as many as there are cores: one compiles one thing at a time."""
    pool = ProcessPoolExecutor(min(most, available_cores()), get_context("spawn"))
    try:
        yield pool
    except BaseException:
        for process in active_children():
            process.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def _compile(name: str, devices: str) -> float:
    """Solve an instance for a moment; return the seconds that were spent on compiling."""
    warnings.simplefilter("ignore")
    make = _USUAL.get(name)
    problem = problem_of(name) if make is None else make()
    options: list[dict[str, Any]] = [{}]
    if isinstance(problem, Assignment) and problem.arcs is None and problem.batch is None:
        options.append({"method": "switching"})
    if isinstance(problem, ATSP):
        options = _tour_options(devices)
    results = [solve(problem, devices=devices, time_limit=_MOMENT, **some) for some in options]
    return sum(float(result.statistics["compile_time"]) for result in results)


def _tour_options(devices: str) -> list[dict[str, Any]]:
    """Return the methods and bounds for an ATSP that these devices have."""
    bounds = () if "cuda" in devices else ("assignment", "arborescence")
    return [{"method": "interval"}, *({"method": "pool", "bound": bound} for bound in bounds)]
