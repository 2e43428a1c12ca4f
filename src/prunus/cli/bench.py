"""``prunus bench``: how fast this machine solves a fixed list of instances, and whether rightly."""

from __future__ import annotations

import json
import platform
import warnings
from dataclasses import dataclass
from importlib import metadata
from statistics import median
from time import perf_counter
from typing import Annotated, Any

from prunus import __version__
from prunus._native import instruction_set
from prunus.cli.commands import OUTPUT, SEARCH, Argument, Option
from prunus.cli.console import answer, error
from prunus.cli.exit_code import ExitCode, exit_code
from prunus.cli.machine import processor
from prunus.cli.options import AsJson, EachDevice, each_device
from prunus.errors import InputError, OptionError, PrunusError
from prunus.hardware.devices import open_gpu, parse_devices
from prunus.model.problem import Problem
from prunus.model.registry import known_specs
from prunus.model.spec import BenchCase
from prunus.result import Result
from prunus.solve import solve
from prunus.view import text

PROBLEMS = tuple(spec.kind for spec in known_specs() if spec.bench is not None)
"""The problems that have an instance to measure, by the names that ``--kind`` has for them."""

_WIDTHS = {
    "problem": max(map(len, PROBLEMS)),
    "instance": 21,
    "devices": 7,
    "proven in": 9,
    "speed": 14,
}
"""The columns of the table but for the last one; that of the devices grows with them."""


def cases(size: int) -> dict[str, BenchCase[Problem]]:
    """Return a case of each problem: small (0), medium (1) or large (2)."""
    return {spec.kind: spec.bench(size) for spec in known_specs() if spec.bench is not None}


def wrong(case: BenchCase[Problem], result: Result) -> str | None:
    """Return what is wrong with a proven result, None if it is right."""
    if exit_code(result) is not ExitCode.PROVEN:
        return None
    if result.objective != case.objective:
        return f"the answer is {result.objective}, and must be {case.objective}"
    if case.nodes is not None and result.nodes != case.nodes:
        return f"{result.nodes} nodes were branched, and must be {case.nodes}"
    return None


@dataclass(frozen=True, slots=True)
class _Measured:
    """What was measured of one case on some devices."""

    kind: str
    case: BenchCase[Problem]
    devices: str
    seconds: list[float]
    first: float
    result: Result | None
    fault: str | None

    @property
    def code(self) -> ExitCode:
        """What the exit code of this case alone would be."""
        if self.fault is not None or self.result is None:
            return ExitCode.FAILURE
        return exit_code(self.result)

    @property
    def time(self) -> float:
        return median(self.seconds or [self.first])

    @property
    def speed(self) -> float | None:
        """Work a second, where the work was done to the end."""
        if self.result is None or self.code is not ExitCode.PROVEN:
            return None
        return self.case.work(self.result.problem, self.result.nodes) / self.time

    def to_dict(self) -> dict[str, Any]:
        result = self.result
        return {
            "problem": self.kind,
            "instance": self.case.instance,
            "devices": self.devices,
            "used": [] if result is None else list(result.devices),
            "status": None if result is None else result.status.value,
            "objective": None if result is None else result.objective,
            "nodes": None if result is None else result.nodes,
            "seconds": self.seconds,
            "first_seconds": self.first,
            "speed": self.speed,
            "unit": f"{self.case.unit}/s",
            "error": self.fault,
        }


def bench(
    problems: Annotated[
        list[str] | None,
        Argument(metavar="PROBLEM", help=f"Only these: {', '.join(PROBLEMS)}."),
    ] = None,
    devices: EachDevice = None,
    quick: Annotated[
        bool, Option(names=("--quick",), help="Smaller instances.", panel=SEARCH)
    ] = False,
    repeat: Annotated[
        int,
        Option(minimum=1, metavar="N", help="Number of runs after the first one.", panel=SEARCH),
    ] = 3,
    time_limit: Annotated[
        float,
        Option(metavar="SECONDS", help="Limit for each run.", panel=SEARCH),
    ] = 60.0,
    as_json: AsJson = False,
    quiet: Annotated[
        bool, Option(names=("--quiet", "-q"), help="No notices.", panel=OUTPUT)
    ] = False,
) -> int:
    """Measure this machine on one instance of each problem, and check the answers.

    Each instance is solved once to compile or load the code, and then again several times.
    The time is the median of the later runs. GPUs get larger instances.
    """
    if quiet:
        warnings.simplefilter("ignore")
    wanted = [name.strip().lower() for name in problems or PROBLEMS]
    for name in wanted:
        if name not in PROBLEMS:
            raise InputError(f"{name!r} is not one of {', '.join(PROBLEMS)}")
    if time_limit <= 0:
        raise OptionError("time_limit", "must be above 0: what is stopped at once is not measured")
    where = each_device(devices, "measuring")
    gpus: dict[str, str] = {}
    for words in where:
        gpus |= {f"cuda:{k}": str(open_gpu(k).model) for k in parse_devices(words).gpus}
    table = None if as_json else _Table(max(map(len, where)), gpus)
    found: list[_Measured] = []
    for words in where:
        size = (0 if quick else 1) + bool(parse_devices(words).gpus)
        for kind, case in cases(size).items():
            if kind not in wanted:
                continue
            if table is not None:
                table.begin(kind, case, words)
            found.append(_measure(kind, case, words, repeat, time_limit))
            if table is not None:
                table.end(found[-1])
            if found[-1].code is ExitCode.INTERRUPTED:
                return _end(found, gpus, as_json)
    return _end(found, gpus, as_json)


def _measure(
    kind: str, case: BenchCase[Problem], devices: str, repeat: int, limit: float
) -> _Measured:
    """Solve a case so many times, and once before; stop when something is wrong or too slow."""
    seconds: list[float] = []
    result: Result | None = None
    fault: str | None = None
    try:
        problem = case.make()
        for _ in range(1 + repeat):
            start = perf_counter()
            options: dict[str, Any] = dict(case.options)
            result = solve(problem, devices=devices, time_limit=limit, **options)
            seconds.append(perf_counter() - start)
            fault = wrong(case, result)
            if fault or exit_code(result) is not ExitCode.PROVEN:
                break
    except PrunusError as problem_of_users:
        fault = str(problem_of_users)
    except MemoryError:
        fault = "there is not enough memory for this"
    return _Measured(kind, case, devices, seconds[1:], (seconds or [0.0])[0], result, fault)


def _end(found: list[_Measured], gpus: dict[str, str], as_json: bool) -> int:
    """Print what machines read, and return the exit code: that of the worst case."""
    codes = [one.code for one in found]
    order = (
        ExitCode.INTERRUPTED,
        ExitCode.FAILURE,
        ExitCode.STOPPED_UNKNOWN,
        ExitCode.STOPPED_FEASIBLE,
    )
    code = next((code for code in order if code in codes), ExitCode.PROVEN)
    if as_json:
        machine = {
            "prunus": __version__,
            "python": platform.python_version(),
            "numpy": metadata.version("numpy"),
            "processor": processor(),
            "gpus": gpus,
        }
        runs = [one.to_dict() for one in found]
        answer(json.dumps({"machine": machine, "runs": runs, "exit_code": int(code)}))
    return int(code)


class _Table:
    """The table on standard output; the head of a row is there while its case is measured."""

    def __init__(self, devices: int, gpus: dict[str, str]) -> None:
        self._widths = {**_WIDTHS, "devices": max(devices, _WIDTHS["devices"])}
        answer(
            f"prunus {__version__}, Python {platform.python_version()}, "
            f"{instruction_set}\n{processor()}"
        )
        answer("".join(f"{name} {model}\n" for name, model in gpus.items()))
        answer(self._cells({name: name for name in self._widths}) + "first run")

    def begin(self, kind: str, case: BenchCase[Problem], devices: str) -> None:
        row = {"problem": kind, "instance": case.instance, "devices": devices}
        answer(self._cells(row), end="")

    def end(self, one: _Measured) -> None:
        if one.fault is not None:
            answer("failed")
            error(f"{one.kind}, {one.case.instance}, {one.devices}: {one.fault}")
        elif one.speed is None:
            answer(f"stopped after {text.duration(one.time)}")
        else:
            speed = text.rate(one.speed).replace("/s", f" {one.case.unit}/s")
            row = {"proven in": _short(one.time), "speed": speed}
            answer(f"{self._cells(row)}+{_short(max(0.0, one.first - one.time))}")

    def _cells(self, row: dict[str, str]) -> str:
        return "".join(f"{words:<{self._widths[name]}}  " for name, words in row.items())


def _short(seconds: float) -> str:
    """Write a time span of which milliseconds count."""
    return f"{1000 * seconds:.1f} ms" if seconds < 0.0995 else text.duration(seconds)
