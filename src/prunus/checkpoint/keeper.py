"""When to write a checkpoint: every half minute, on improvement, at the end; never too often."""

from __future__ import annotations

import os
import warnings
from dataclasses import replace
from time import perf_counter
from typing import Any

from prunus.checkpoint.lock import FileLock
from prunus.checkpoint.state import Checkpoint
from prunus.errors import InputError

__all__ = ["EVERY", "Keeper"]

EVERY = 30.0
"""Seconds between two checkpoints, unless the incumbent improves."""

COST = 100
"""A checkpoint is followed by at least so many times its own duration without one."""


class Keeper:
    """Writes the checkpoints of one solve to one file, which no other run may write meanwhile.

    Parameters
    ----------
    path
        The file.
    template
        What the solve is; each checkpoint is this with the state of the moment.
    every
        Seconds between two checkpoints.
    new
        Refuse a file that exists already.

    Raises
    ------
    InputError
        If the file exists and must not, if its folder cannot be written, or if another run uses it.
    """

    def __init__(
        self, path: str, template: Checkpoint, *, every: float = EVERY, new: bool = True
    ) -> None:
        self.path = path
        self._template = template
        self.written = 0
        self.seconds = 0.0
        self.every = every
        self._last = perf_counter()
        self._cost = 0.0
        self._objective: int | None = None
        self._complained = False
        if new and os.path.exists(path):
            raise InputError(
                f"checkpoint: {path} exists already; go on with it by 'prunus resume {path}' "
                f"or prunus.resume, or name another file"
            )
        self._lock = FileLock(path)

    def due(self, objective: int | float | None) -> bool:
        """Return whether it is time to write; ``objective`` is the incumbent's."""
        since = perf_counter() - self._last
        if since < COST * self._cost:
            return False
        return since >= self.every or (
            objective != self._objective and since >= min(1.0, self.every)
        )

    def write(self, **state: Any) -> None:
        """Write a checkpoint with these attributes of the moment.

        If that fails, it warns once, and the search goes on.
        """
        start = perf_counter()
        checkpoint = replace(self._template, **state)
        try:
            checkpoint.write(self.path)
            self.written += 1
            self._complained = False
        except InputError as error:
            if not self._complained:
                warnings.warn(f"{error}; the search goes on, the checkpoint is old", stacklevel=2)
                self._complained = True
        self._objective = checkpoint.objective
        self._last = perf_counter()
        self._cost = self._last - start
        self.seconds += self._cost

    def close(self) -> None:
        """Let others use the file."""
        self._lock.release()
