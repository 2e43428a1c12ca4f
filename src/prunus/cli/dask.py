"""``--dask``: the workers of a Dask cluster search instead of this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from prunus.cli.options import SEARCH
from prunus.errors import InputError, missing_extra
from prunus.model.options import check_executor_use

__all__ = ["Dask", "dask_client"]

PATIENCE = 10
"""Seconds in which the scheduler must answer."""

Dask = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Search on the workers of this Dask scheduler: tcp://host:8786 (extra \\[cluster]).",
        rich_help_panel=SEARCH,
    ),
]


@contextmanager
def dask_client(address: str | None, problem: object = None) -> Iterator[Any]:
    """Connect to a scheduler; give the client, or None without an address.

    Parameters
    ----------
    address
        Of the scheduler.
    problem
        What is to be solved: nobody connects for what one process solves.

    Raises
    ------
    InputError
        If nobody answers there, or the problem is not for several processes.
    MissingExtraError
        If Dask is not installed.
    """
    if address is None:
        yield None
        return
    check_executor_use(problem, "dask")
    try:
        from distributed import Client
    except ImportError as error:
        raise missing_extra("searching on a Dask cluster", "cluster") from error
    try:
        client = Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise InputError(
            f"dask: no scheduler answers at {address}; start one with: dask scheduler"
        ) from error
    with client:
        yield client
