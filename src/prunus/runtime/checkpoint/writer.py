"""When to write a checkpoint: every half minute, on improvement, at the end; never too often."""

from __future__ import annotations

import logging
import os
import threading
import warnings
from collections.abc import Callable, Mapping
from dataclasses import replace
from time import perf_counter
from typing import Any

from prunus.errors import DeviceError, InputError, OptionError
from prunus.model.arrays import Number
from prunus.runtime.checkpoint.lock import FileLock
from prunus.runtime.checkpoint.state import Checkpoint

_log = logging.getLogger(__name__)

CHECKPOINT_INTERVAL_S = 30.0
"""Seconds between two checkpoints, unless the incumbent improves."""

FIRST_AFTER_S = 1.0
"""Seconds until the first one, so that little is lost whenever a run is killed."""

REST_PER_HELD_UP = 100
"""After a checkpoint the next one waits at least so many times as long as it held up the search."""


class CheckpointWriter:
    """Writes the checkpoints of one solve to one file, which no other run may write meanwhile.

    Should another one write it all the same, since the lock is not kept on its file system, this
    one goes on in a file of its own and warns.

    Raises ``InputError`` if the file exists and must not, is a folder or a device, if its folder
    cannot be written, or if another run uses it.

    Each checkpoint is the ``template`` with the state of the moment, one after ``every`` so many
    seconds. The lock is held since before the file was read; without it the file must not exist.
    """

    def __init__(
        self,
        path: str,
        template: Checkpoint,
        *,
        every: float = CHECKPOINT_INTERVAL_S,
        lock: FileLock | None = None,
    ) -> None:
        if os.path.isdir(path):
            raise OptionError("checkpoint", f"{path} is a folder; name a file")
        if os.path.exists(path) and not os.path.isfile(path):
            raise OptionError("checkpoint", f"{path} is a device or a pipe; name a file")
        self.path = path
        self._template = template
        self.written = 0
        self.seconds = 0.0
        self.every = every
        self._last = perf_counter()
        self._cost = 0.0
        self._objective: Number | None = None
        self._bound: Number | None = None
        self._complained = False
        self._writer: threading.Thread | None = None
        self._lock = lock or FileLock(path)
        self._last_seen = _stamp(path)
        # Only now: a run that held the lock a moment ago may have made the file.
        if lock is None and os.path.exists(path):
            self._lock.release()
            raise OptionError(
                "checkpoint",
                f"{path} already exists; continue it with 'prunus resume {path}', prunus.resume "
                "or {resume:auto}, or name another file",
            )

    def is_behind(self, objective: Number | None, bound: Number | None) -> bool:
        """Return whether the checkpoint lacks this incumbent or this bound."""
        return (objective, bound) != (self._objective, self._bound)

    def due(self, objective: int | float | None) -> bool:
        """Return whether it is time to write; ``objective`` is the incumbent's."""
        since = perf_counter() - self._last
        if since < REST_PER_HELD_UP * self._cost or (
            self._writer is not None and self._writer.is_alive()
        ):
            return False
        if since >= (self.every if self.written else min(FIRST_AFTER_S, self.every)):
            return True
        return objective != self._objective and since >= min(1.0, self.every)

    def write(self, **state: Any) -> None:
        """Write a checkpoint with these attributes of the moment.

        If that fails, it warns once, and the search goes on.
        """
        self.wait()
        self._last = start = perf_counter()
        self._write(state, Checkpoint.write)
        self.seconds += perf_counter() - start

    def add(self, **state: Any) -> None:
        """Add what was found and proven to the checkpoint; what is open in it stays."""
        self.wait()
        self._write(state, Checkpoint.add_to)

    def write_aside(self, state: Mapping[str, Any], held: float, share: float) -> None:
        """Do the same in a thread of its own, which also reads the open work.

        The search has been ``held`` up for so many seconds to learn the state, and so large a
        ``share`` of its devices stands still while the thread is at work.
        """
        self.wait()
        self._last = start = perf_counter()

        def write() -> None:
            self._write(state, Checkpoint.write)
            self._cost = held + share * (perf_counter() - start)
            self.seconds += self._cost

        self._objective, self._bound = state["objective"], state.get("bound")
        self._writer = threading.Thread(target=write, daemon=True)
        self._writer.start()

    def wait(self) -> None:
        """Wait until no checkpoint is being written."""
        if self._writer is not None:
            self._writer.join()
            self._writer = None

    def _write(self, state: Mapping[str, Any], how: Callable[[Checkpoint, str], None]) -> None:
        checkpoint = replace(self._template, **state)
        try:
            self._keep_clear()
            how(checkpoint, self.path)
            self._last_seen = _stamp(self.path)
            self.written += 1
            self._complained = False
            _log.info("checkpoint written to %s", self.path)
        except (InputError, DeviceError, MemoryError) as error:
            if not self._complained:
                why = str(error) or f"{self.path} cannot be written: not enough memory"
                _log.warning("checkpoint failed: %s", why)
                warnings.warn(
                    f"{why}; the search continues, but the checkpoint is out of date", stacklevel=2
                )
                self._complained = True
        self._objective, self._bound = checkpoint.objective, checkpoint.bound

    def _keep_clear(self) -> None:
        """Write another file from now on if another run has written this one."""
        now = _stamp(self.path)
        if now is not None and now != self._last_seen:
            from socket import gethostname

            path, self.path = self.path, f"{self.path}.{gethostname()}-{os.getpid()}"
            warnings.warn(
                f"another run is writing {path}, on a file system that does not keep locks; "
                f"this one continues in {self.path}",
                stacklevel=2,
            )

    def close(self) -> None:
        """Let others use the file."""
        self.wait()
        self._lock.release()


def _stamp(path: str) -> tuple[int, int, int] | None:
    """Return what tells a file from another of its name; None if there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns
