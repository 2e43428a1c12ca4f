"""Executors that lose, repeat or break calls."""

from __future__ import annotations

import random
from concurrent.futures import CancelledError, Executor, Future


class Flaky(Executor):
    """Runs each task at once, and loses, repeats or breaks it now and then."""

    _max_workers = 2

    def __init__(self, seed: int, fail: float, dead_after: int | None = None) -> None:
        self.rng, self.fail, self.dead_after, self.calls = random.Random(seed), fail, dead_after, 0

    def submit(self, function, /, *args, **kwargs):
        """Answer with a result or with a failure, sometimes after doing the work twice."""
        self.calls += 1
        future: Future = Future()
        if self.dead_after is not None and self.calls > self.dead_after:
            raise RuntimeError("cannot schedule new futures after shutdown")
        if self.rng.random() < self.fail:
            future.set_exception(self.rng.choice([OSError("lost"), CancelledError()]))
            return future
        if self.rng.random() < 0.3:
            function(*args, **kwargs)
        future.set_result(function(*args, **kwargs))
        return future
