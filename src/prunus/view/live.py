"""The door to the live display: what draws is imported only where it is wanted."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TextIO

from prunus.model.problem import Problem
from prunus.runtime.progress import ProgressCallback


def live(
    problem: Problem, *, stream: TextIO | None = None
) -> AbstractContextManager[ProgressCallback]:
    """Show the progress of a search on a terminal or in a notebook while the context is open.

    The display is written to standard error, so that standard output stays free for results. It is
    taken away when the context ends, however it ends, and the terminal is left as it was.

    The problem gives the display its title and its words. ``stream`` stands in for standard error;
    nothing is drawn on what is not a terminal.

    Entering the context gives the callable that takes each `Progress`.
    """
    shell = None
    if stream is None and "IPython" in sys.modules:
        from prunus.view.notebook import NotebookDisplay, kernel

        shell = kernel()
    if shell is not None:
        return NotebookDisplay(problem, shell)
    target = stream if stream is not None else sys.stderr
    if target is None or not target.isatty():
        return _silent()
    from prunus.view.display import Display

    display = Display(problem, stream=stream)
    return display if display.visible else _silent()


@contextmanager
def _silent() -> Iterator[ProgressCallback]:
    yield lambda progress: None
