"""Ctrl-C while a solve runs: noted first, raised once if nobody has noticed, ignored after that.

An exception that may come at any moment may come at a wrong one: between two steps of which a
checkpoint needs both, while threads are joined, or inside a callback from C, where it is lost. So
the first Ctrl-C only leaves a note, which whoever watches the solve reads several times a second.
If nobody has after half a second (code is being compiled, or one step takes long), and only then,
``KeyboardInterrupt`` is raised, once; if a callback from C has lost it, again. Whatever comes after
that finds the solve on its way out, and does nothing; unless that way has taken ten seconds: then
whoever presses Ctrl-C again means it.
"""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from time import monotonic, sleep
from types import FrameType
from typing import Any

from prunus.runtime.stop_token import INTERRUPT, StopToken

GRACE_S = 0.5
"""Seconds until an interrupt that nobody has heard is raised as an exception."""

FORCE_AFTER_S = 10.0
"""Seconds after which another interrupt is raised although the first one was heard."""

_listening: list[Interrupts] = []


class Interrupts:
    """Takes Ctrl-C while its context is open, in the main thread; elsewhere it hears nothing.

    A handler of the user's own stays where it is. Contexts inside another share its state. After
    ``requested`` somebody wants an end; after ``raised`` there was a ``KeyboardInterrupt``: what
    other error comes out may be a consequence of it.
    """

    def __init__(self) -> None:
        self.requested = False
        self.raised = False
        self._heard = False
        self._quiet = False
        self._due = False
        self._spent = False
        self._since = 0.0
        self._over = False
        self._lock = _thread.allocate_lock()
        self._before: Any = None
        self._report: Any = None
        self._in_charge = False
        self._main = 0
        self._tokens: list[StopToken] = []

    def connect(self, token: StopToken) -> None:
        """Have an interrupt request an end on this token, also one that has come before."""
        self._tokens.append(token)
        if self.requested:
            token.request(INTERRUPT)

    def request(self) -> None:
        """Note that an end is wanted."""
        self.requested = True
        for token in self._tokens:
            token.request(INTERRUPT)

    def acknowledge(self) -> bool:
        """Return whether an end is wanted; if so, the one who asks sees to it."""
        self._heard = self._heard or self.requested
        return self.requested

    def silence(self) -> None:
        """Let nothing be raised from now on: what was searched for is there."""
        self._quiet = True

    def deferred(self) -> _Deferred:
        """Return a context in which nothing is raised: one step that must be done as a whole."""
        return _Deferred(self)

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is not threading.main_thread():
            return self
        if _listening:
            return _listening[-1]
        self._in_charge = True
        self._main = threading.get_ident()
        _listening.append(self)
        self._report, sys.unraisablehook = sys.unraisablehook, self._lost
        # An ignored signal stays ignored, as a shell has it for what runs in the background.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._before = signal.signal(signal.SIGINT, self.handle)
        return self

    def __exit__(self, *_: object) -> None:
        if not self._in_charge:
            return
        with self._lock:
            self._over = True
        # What was sent until now is still delivered to ``handle``.
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)
        _listening.remove(self)
        sys.unraisablehook = self._report

    def handle(self, number: int, frame: FrameType | None) -> None:
        if not self.requested:
            self.request()
            self._since = monotonic()
            if not (self._heard or self._quiet or self._over):
                # Not threading: its locks may be held by the very code that this interrupts.
                _thread.start_new_thread(self._insist, (number,))
            return
        ignored = self._heard and monotonic() > self._since + FORCE_AFTER_S
        if (self._due or ignored) and not (self._quiet or self._over or self._spent):
            self.raised = self._spent = True
            raise KeyboardInterrupt

    def _lost(self, lost: Any) -> None:
        """Raise an interrupt again that was raised where nothing can be, as in a callback from C.

        Python would write it to standard error, with a traceback, and go on.
        """
        if not (self.raised and lost.exc_type is KeyboardInterrupt):
            self._report(lost)
            return
        self._spent = False
        _thread.start_new_thread(self._insist, (signal.SIGINT,))

    def _insist(self, number: int) -> None:
        sleep(GRACE_S)
        with self._lock:
            if not (self._heard or self._quiet or self._over):
                self._due = True
                if hasattr(signal, "pthread_kill"):
                    # A true signal: it ends what the main thread waits for, too.
                    signal.pthread_kill(self._main, number)
                else:
                    signal.raise_signal(number)  # wakes a sleeping main thread on Windows


class _Deferred:
    """See ``Interrupts.deferred``."""

    def __init__(self, interrupts: Interrupts) -> None:
        self._interrupts, self._before = interrupts, False

    def __enter__(self) -> None:
        self._before, self._interrupts._quiet = self._interrupts._quiet, True

    def __exit__(self, *_: object) -> None:
        self._interrupts._quiet = self._before


def interrupt_requested() -> bool:
    """Return whether somebody has pressed Ctrl-C in the solve that goes on."""
    return bool(_listening) and _listening[-1].requested


def deliver(number: int, frame: FrameType | None) -> bool:
    """Hand a signal to whoever listens; return whether there is somebody."""
    if _listening:
        _listening[-1].handle(number, frame)
    return bool(_listening)
