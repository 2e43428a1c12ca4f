"""The workers of an executor, as far as they have been heard of."""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any

from prunus.treesearch.distributed.share import Worker
from prunus.treesearch.distributed.slice import Answer

__all__ = ["Crowd"]

FORGET = 60.0
"""Seconds of silence after which nobody reckons with a worker any more."""


@dataclass
class _Seen:
    """A worker, when it was last heard of, and what it has done."""

    worker: Worker
    heard: float = 0.0
    slices: int = 0
    nodes: int = 0
    searched: float = 0.0
    devices: tuple[str, ...] = ()


class Crowd:
    """Knows who is there, so that those on one machine can share it."""

    def __init__(self) -> None:
        self._seen: dict[str, _Seen] = {}

    def __len__(self) -> int:
        """Return how many workers have been heard of."""
        return len(self._seen)

    def note(self, worker: Worker, answer: Answer | None = None) -> None:
        """Note that a worker was heard of, and what it has done."""
        seen = self._seen.setdefault(worker.label, _Seen(worker))
        seen.worker, seen.heard = worker, perf_counter()
        if answer is not None:
            seen.slices += 1
            seen.nodes += answer.nodes
            seen.searched += answer.searched
            seen.devices = answer.devices

    @property
    def known(self) -> tuple[Worker, ...]:
        """Those that have been heard of lately."""
        since = perf_counter() - FORGET
        return tuple(seen.worker for seen in self._seen.values() if seen.heard > since)

    @property
    def online(self) -> bool:
        """Whether everybody who has been heard of lately has a line to the coordinator."""
        return bool(self._seen) and all(worker.online for worker in self.known)

    @property
    def gpus(self) -> bool:
        """Whether somebody sees a GPU."""
        return any(seen.worker.gpus for seen in self._seen.values())

    def figures(self) -> list[dict[str, Any]]:
        """Return what each worker has done."""
        return [
            {
                "name": name,
                "devices": list(seen.devices),
                "online": seen.worker.online,
                "slices": seen.slices,
                "nodes": seen.nodes,
                "search_time": seen.searched,
            }
            for name, seen in self._seen.items()
        ]
