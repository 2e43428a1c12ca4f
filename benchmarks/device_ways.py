"""Ways in which several devices can work together: what is, and what was before, to measure both.

``NOTES-devices.md`` says what each is about.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

from prunus.queens.tasks import Tasks
from prunus.treesearch.crew import Job

__all__ = ["WAYS", "way"]


def new_thread(function: Callable[..., object], *arguments: Any) -> Job:
    """Call a function in a thread of its own, as before threads were kept."""
    job = Job(function, arguments)
    threading.Thread(target=job.do, daemon=True).start()
    return job


# By what is changed: a module and the name in it (of a class, and the name in that).
SINGLE = {"prunus.queens.gpu:CHAIN": 1, "prunus.queens.gpu:FIRST_ROUNDS": 512}
SHUFFLED = {"prunus.queens.tasks:Tasks.spread": Tasks.shuffled}
EARLY = {"prunus.treesearch.gpu.explorer:SETTLED": 0.0}
NO_LULL = {"prunus.treesearch.asking:CRUMBS": 0.0}
RANDOM = {"prunus.treesearch.asking:FULLEST": False}
NEW_THREADS = {"prunus.treesearch.team:start": new_thread}

WAYS: Mapping[str, Mapping[str, Any]] = {
    "now": {},
    # N-Queens
    "single": SINGLE,
    "shuffled": SHUFFLED,
    "queens-before": {**SINGLE, **SHUFFLED},
    # trees
    "early": EARLY,
    "no-lull": NO_LULL,
    "random": RANDOM,
    "new-threads": NEW_THREADS,
    "state-a": {**EARLY, **NO_LULL, **RANDOM, **NEW_THREADS},
    "longer": {"prunus.treesearch.drive:LONGER": 2.0},
}


@contextlib.contextmanager
def way(name: str) -> Iterator[None]:
    """Work in another way for a while."""
    with contextlib.ExitStack() as stack:
        for place, value in WAYS[name].items():
            module, _, path = place.partition(":")
            *holders, last = path.split(".")
            holder: Any = import_module(module)
            for part in holders:
                holder = getattr(holder, part)
            stack.callback(setattr, holder, last, getattr(holder, last))
            setattr(holder, last, value)
        yield
