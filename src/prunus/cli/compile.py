"""``prunus compile``: have kernels for GPUs compiled beforehand, as for a container's image."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from time import perf_counter
from typing import Annotated, Any

from prunus.cli.commands import Argument
from prunus.cli.console import answer, error, notice
from prunus.cli.exit_code import ExitCode
from prunus.cli.options import EachDevice, Quiet, each_device, problem_of
from prunus.errors import InputError, PrunusError
from prunus.hardware.devices import available_cores
from prunus.model.options import closest
from prunus.model.registry import known_specs, spec_of
from prunus.model.spec import WarmUp
from prunus.solve import solve
from prunus.view import text

SOLVE_TIME_S = 2.0
"""Each instance is solved for so many seconds, at most."""


def _warm_ups() -> dict[str, WarmUp[Any]]:
    """Return an instance of every kind; what others need is compiled when they are solved."""
    return {one.instance: one for spec in known_specs() for one in spec.warm_ups}


def _named(words: list[str]) -> list[str]:
    """Return instances for what a user named: instances, and kinds of problems as bench has."""
    of_kind = {spec.kind: [one.instance for one in spec.warm_ups] for spec in known_specs()}
    return [name for word in words for name in of_kind.get(word) or [word]]


def compile_ahead(
    instances: Annotated[
        list[str] | None,
        Argument(
            metavar="FILE_OR_NAME",
            help="What will be solved: instances, FILE.py:NAME, or kinds of problems such as "
            "flowshop; by default an instance of every problem.",
        ),
    ] = None,
    devices: EachDevice = None,
    quiet: Quiet = False,
) -> int:
    """Compile kernels for GPUs in advance, so that no first solve has to wait.

    Each instance is solved for a moment, in its own process on each of the devices; code for cores
    is part of the package.
    """
    if quiet:
        warnings.simplefilter("ignore")
    names = _named(instances) if instances else list(_warm_ups())
    for name in names if instances else ():
        if name not in _warm_ups():
            _check(name)
    where = each_device(devices, "compiling", cores=False)
    if not where:
        answer("nothing to compile: there is no GPU, and code for cores is part of the package")
        return int(ExitCode.PROVEN)
    begun, code = perf_counter(), ExitCode.PROVEN
    wanted = [(name, words) for words in where for name in names]
    width = max(len(f"{name}  {words}") for name, words in wanted)
    with _processes(len(wanted)) as pool:
        jobs: dict[Future[tuple[float, set[str]]], str] = {}
        noted: set[str] = set()
        for name, words in wanted:
            gap = width - len(name) - len(words)
            jobs[pool.submit(_compile, name, words)] = f"{name}{' ' * gap}{words}"
        for job in as_completed(jobs):
            try:
                seconds, notes = job.result()
                answer(f"{jobs[job]}  {text.duration(seconds)}")
                for words in () if quiet else sorted(notes - noted):
                    notice(words)
                noted |= notes
            except (PrunusError, MemoryError) as problem:
                error(f"{jobs[job]}: {problem}")
                code = ExitCode.FAILURE
            except BrokenExecutor:
                error("a compiling process was killed, perhaps because memory ran out")
                return int(ExitCode.FAILURE)
    answer(f"compiled in {text.duration(perf_counter() - begun)}")
    return int(code)


def _check(name: str) -> None:
    """Read an instance; raise ``InputError`` if there is none, with the kind that was meant."""
    try:
        problem_of(name)
    except InputError:
        meant = closest(name, (spec.kind for spec in known_specs()), ())
        if meant is None or ":" in name or os.path.lexists(name):
            raise
        words = f"there is no file, no instance and no kind of problem {name!r}"
        raise InputError(f"{words}; did you mean {meant}?") from None


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


def _compile(name: str, devices: str) -> tuple[float, set[str]]:
    """Solve an instance for a moment.

    Returns the seconds that were spent on compiling, and warnings that the code was not kept.
    """
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        seconds = _compile_time(name, devices)
    notes = {str(each.message) for each in said}
    return seconds, {words for words in notes if words.startswith("compiled code")}


def _compile_time(name: str, devices: str) -> float:
    warm_up = _warm_ups().get(name)
    problem = problem_of(name) if warm_up is None else warm_up.make()
    spec, seconds = spec_of(problem), 0.0
    for options in spec.warm_up_options(problem):
        method = spec.method(str(options.get("method", spec.default_method)))
        if method is not None and "cuda" in devices and not method.gpu:
            continue
        given: dict[str, Any] = dict(options)
        result = solve(problem, devices=devices, time_limit=SOLVE_TIME_S, **given)
        seconds += float(result.statistics["compile_time"])
    return seconds
