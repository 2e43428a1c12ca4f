"""The live display: a small panel on the terminal that is redrawn while a search runs."""

from __future__ import annotations

import sys
import threading
from time import perf_counter, sleep
from typing import TextIO

from rich.console import Console
from rich.live import Live

from prunus.hardware import clock
from prunus.model.problem import Problem
from prunus.runtime.interrupts import interrupt_requested
from prunus.runtime.progress import Progress, ProgressCallback
from prunus.view.panel import render

# What is loaded in less is not worth a word.
_SOON = 0.25

_in_use: list[Console] = []


def console_in_use() -> Console | None:
    """Return the console that a live panel is on: what is printed there goes above the panel."""
    return _in_use[-1] if _in_use else None


class Display:
    """A live panel; a context manager whose value takes each `Progress`.

    The stream is standard error by default.
    """

    def __init__(self, problem: Problem, *, stream: TextIO | None = None) -> None:
        self.problem = problem
        # None where standard error is closed, as for a service.
        self._stream: TextIO | None = stream if stream is not None else sys.stderr
        self._console = Console(file=self._stream)
        self._live: Live | None = None
        self._progress = Progress(phase="starting")
        self._paused_before = 0.0
        self._lock = threading.RLock()
        self._keeper: threading.Thread | None = None

    @property
    def visible(self) -> bool:
        """Whether there is a terminal to draw on."""
        # Asked of the stream: rich also says yes where an environment variable forces colour.
        if self._stream is None:
            return False
        return bool(self._stream.isatty()) and not self._console.is_dumb_terminal

    def __enter__(self) -> ProgressCallback:
        """Draw the panel for the first time."""
        self._paused_before = clock.time_paused()
        self._live = Live(
            render(self._progress, self.problem),
            console=self._console,
            # The engine calls often enough; a thread of its own would only take a core's time.
            auto_refresh=False,
            transient=True,
            # What a callback prints goes above the panel, unless it goes to a file or a pipe.
            redirect_stdout=sys.stdout.isatty(),
            redirect_stderr=False,
        )
        self._live.start(refresh=True)
        _in_use.append(self._console)
        clock.listeners.append(self._keep_time)
        return self.show

    def show(self, progress: Progress) -> None:
        self._progress = progress
        self._draw()

    def _draw(self) -> None:
        since = clock.paused_since()
        compiling = None
        if since is not None and perf_counter() - since > _SOON:
            compiling = clock.time_paused() - self._paused_before
        with self._lock:
            if self._live is not None:
                panel = render(
                    self._progress,
                    self.problem,
                    compiling=compiling,
                    stopping=interrupt_requested(),
                )
                self._live.update(panel, refresh=True)

    def _keep_time(self, standing: bool) -> None:
        """See to it that the panel goes on while the engine is compiled and cannot call."""
        with self._lock:
            if standing and self._keeper is None:
                self._keeper = threading.Thread(target=self._redraw, daemon=True)
                self._keeper.start()

    def _redraw(self) -> None:
        while clock.paused_since() is not None and self._live is not None:
            sleep(1.01 * _SOON)
            self._draw()
        self._keeper = None

    def __exit__(self, *_: object) -> None:
        """Take the panel away and give the terminal back its cursor."""
        with self._lock:
            live, self._live = self._live, None
        if live is not None:
            clock.listeners.remove(self._keep_time)
            _in_use.remove(self._console)
            live.stop()
