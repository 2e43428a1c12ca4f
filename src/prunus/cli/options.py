"""Options that several commands share, so that they read alike everywhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from prunus.cli.commands import OUTPUT, SEARCH, Option
from prunus.custom.python_file import is_python_source, load_problem
from prunus.errors import InputError, OptionError, missing_extra
from prunus.hardware.devices import check_gpus, first_gpu, open_gpu, parse_devices
from prunus.model.options import check_executor_use
from prunus.model.problem import Problem
from prunus.read import kinds_text, read

DASK_TIMEOUT_S = 10
"""A scheduler must answer within so many seconds."""

OwnProblem = Annotated[
    str | None,
    Option(
        metavar="FILE.py:NAME",
        help="Your own problem, created again, if the class in the checkpoint cannot be imported.",
    ),
]
Kind = Annotated[
    str | None,
    Option(help=f"What the file holds: {kinds_text()}.", panel=SEARCH),
]
Devices = Annotated[
    str, Option(help="Where to search: auto, cpu, cpu:4, or cuda:0,cuda:1.", panel=SEARCH)
]
EachDevice = Annotated[
    list[str] | None,
    Option(
        names=("--devices",),
        help="auto, cpu:4, or cuda:0,cuda:1; repeat the option for several. By default all cores "
        "and, if there is one, the first GPU.",
        panel=SEARCH,
    ),
]
Dask = Annotated[
    str | None,
    Option(
        metavar="ADDRESS",
        help="Search on the workers of this Dask scheduler, e.g. tcp://host:8786 (extra "
        "[cluster]).",
        panel=SEARCH,
    ),
]
TimeLimit = Annotated[
    float | None,
    Option(metavar="SECONDS", help="Stop after this time, not counting compilation.", panel=SEARCH),
]
CheckpointEvery = Annotated[
    float,
    Option(
        metavar="SECONDS",
        help="Time between two checkpoints.",
        panel=SEARCH,
    ),
]
Output = Annotated[
    Path | None,
    Option(
        names=("--output", "-o"),
        metavar="FILE",
        help="Write the solution to a .csv or .json file.",
        panel=OUTPUT,
    ),
]
Gantt = Annotated[
    Path | None,
    Option(
        metavar="FILE",
        help="Draw the schedule as .html, .svg, or with the extra [plot] as .png or .pdf.",
        panel=OUTPUT,
    ),
]
Trace = Annotated[
    Path | None,
    Option(
        metavar="FILE",
        help="Draw what each device did over time (extra [plot]).",
        panel=OUTPUT,
    ),
]
AsJson = Annotated[
    bool, Option(names=("--json",), help="Print one JSON object on standard output.", panel=OUTPUT)
]
Quiet = Annotated[
    bool,
    Option(names=("--quiet", "-q"), help="No live display, no notices.", panel=OUTPUT),
]


def problem_of(source: str, kind: str | None = None) -> Problem:
    """Return the problem that a word of the command line stands for.

    It is the path of a file, the name of an instance, or ``FILE.py:NAME``. Raises ``InputError`` if
    there is no such thing, or if it is no problem.
    """
    if source == "-":
        raise InputError("standard input is the file /dev/stdin")
    return load_problem(source) if is_python_source(source) else read(source, kind=kind)


def each_device(given: list[str] | None, doing: str, *, cores: bool = True) -> list[str]:
    """Return the devices on which something is done one after the other, in words.

    By default the first GPU if there is one, and all cores before it with ``cores``. ``doing`` is
    what a warning says goes without a GPU that cannot be used. Raises ``InputError`` if words are
    no devices; ``DeviceError`` if a GPU that is named cannot be used.
    """
    if not given:
        gpu = first_gpu(lambda: open_gpu(0), doing)
        return [*(["cpu"] if cores else []), *([] if gpu is None else ["cuda:0"])]
    for words in given:
        check_gpus(parse_devices(words))
    return given


@contextmanager
def dask_client(
    address: str | None, problem: Problem | None = None, method: str | None = None
) -> Iterator[Any]:
    """Connect to a scheduler of Dask; give the client, or None without an address.

    Nobody connects for a problem and a method that one process solves, where these are known.
    Raises ``OptionError`` if nobody answers there, or the problem is not for several processes;
    ``MissingExtraError`` if Dask is not installed.
    """
    if address is None:
        yield None
        return
    if problem is not None:
        check_executor_use(problem, method, option="dask")
    try:
        from distributed import Client
    except ImportError as error:
        raise missing_extra("searching on a Dask cluster", "cluster") from error
    try:
        client = Client(address, timeout=DASK_TIMEOUT_S)
    except (OSError, ValueError) as error:
        raise OptionError(
            "dask", f"no scheduler answers at {address}; start one with: dask scheduler"
        ) from error
    with client:
        yield client
