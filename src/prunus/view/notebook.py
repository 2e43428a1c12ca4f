"""The live display in a notebook: the terminal's panel, as an output that is replaced.

IPython is not imported: where there is a kernel, it has been.
"""

from __future__ import annotations

import io
import sys
from time import perf_counter
from typing import Any
from uuid import uuid4

from rich.console import Console

from prunus.hardware import clock
from prunus.model.problem import Problem
from prunus.runtime.progress import Progress, ProgressCallback
from prunus.view.panel import render

_INTERVAL_S = 0.4
"""Between two updates, which travel to a browser."""

_FRAME = '<pre style="line-height:normal">{code}</pre>'


def kernel() -> Any:
    """Return IPython's shell if this process is the kernel of a notebook, else None."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell if hasattr(shell, "kernel") else None


class NotebookDisplay:
    """A live panel; a context manager whose value takes each `Progress`.

    ``shell`` is what `kernel` returns.
    """

    def __init__(self, problem: Problem, shell: Any) -> None:
        self.problem = problem
        self._publish = shell.display_pub.publish
        self._where = {"display_id": uuid4().hex}
        self._progress = Progress(phase="starting")
        self._drawn = 0.0
        self._paused_before = 0.0

    def __enter__(self) -> ProgressCallback:
        """Show the panel for the first time."""
        self._paused_before = clock.time_paused()
        self._show(self._panel(), update=False)
        clock.listeners.append(self._keep_time)
        return self.show

    def show(self, progress: Progress) -> None:
        """Replace the panel, if it has been there for long enough."""
        self._progress = progress
        if perf_counter() - self._drawn >= _INTERVAL_S:
            self._show(self._panel())

    def __exit__(self, *_: object) -> None:
        """Take the panel away."""
        clock.listeners.remove(self._keep_time)
        self._show("")

    def _keep_time(self, standing: bool) -> None:
        """Say that something is compiled, before it is: the engine cannot call meanwhile."""
        if standing and perf_counter() - self._drawn >= _INTERVAL_S:
            self._show(self._panel(compiling=clock.time_paused() - self._paused_before))

    def _panel(self, compiling: float | None = None) -> str:
        console = Console(file=io.StringIO(), record=True, width=80, force_jupyter=False)
        console.print(render(self._progress, self.problem, compiling=compiling))
        return console.export_html(inline_styles=True, code_format=_FRAME)

    def _show(self, html: str, *, update: bool = True) -> None:
        self._drawn = perf_counter()
        data = {"text/html": html, "text/plain": ""}
        self._publish(data=data, metadata={}, transient=self._where, update=update)
