"""What ``--verbose`` shows: the events that the library logs, one a line, on standard error."""

from __future__ import annotations

import logging
from typing import Annotated

from prunus.cli.commands import OUTPUT, Option
from prunus.cli.console import hint

Verbose = Annotated[
    int,
    Option(
        names=("--verbose", "-v"),
        count=True,
        metavar="",
        help="Print one line per event: incumbents, bounds, checkpoints, lost devices; -vv "
        "for more.",
        panel=OUTPUT,
    ),
]


class _Console(logging.Handler):
    """Writes above a live panel, if there is one."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        try:
            hint("", record.getMessage())
        except Exception:  # as every handler of the standard library does
            self.handleError(record)


def log_events(verbose: int) -> None:
    """Show events from now on: at 1 those of level INFO and above, from 2 on all."""
    logger = logging.getLogger("prunus")
    for handler in [each for each in logger.handlers if isinstance(each, _Console)]:
        logger.removeHandler(handler)
    if verbose:
        logger.addHandler(_Console())
        logger.setLevel(logging.INFO if verbose == 1 else logging.DEBUG)
