"""A thread's part in rating a level: which children it keeps."""

from __future__ import annotations

import numpy as np

from prunus.flowshop.beam.cores.rating import TOGETHER, Kept, Lines
from prunus.flowshop.beam.cores.tables import BLOCK
from prunus.model.arrays import AnyArray
from prunus.treesearch.beam.select import least_keys
from prunus.treesearch.interval.cpu.aligned import aligned_zeros


class Rater:
    """A thread that rates nodes of a level and keeps the best of their children.

    These are ``width``, and may be up to ``most``.
    """

    def __init__(self, jobs: int, machines: int, kind: type, width: int, least_room: int):
        self.width, self.most = width, width + width // 4
        room = self.most + max(self.most, least_room) + TOGETHER * jobs
        keys, places = np.empty(room, np.float32), np.empty(room, np.int64)
        self.kept = Kept(keys, places, np.zeros(1, np.int64))
        free, done, least = np.empty((3, TOGETHER, machines), np.float32)
        self.lines = Lines(
            aligned_zeros((TOGETHER, 2, jobs // BLOCK, 2 * BLOCK), kind),
            np.empty((TOGETHER, 2, machines), kind),
            free,
            done,
            least,
            aligned_zeros((2 * BLOCK,), np.float32),
            aligned_zeros((BLOCK,), np.float32),
        )
        self.begin()

    def begin(self) -> None:
        """Forget what was kept of another level."""
        self.kept.number[0] = 0
        self.last, self.dropped = np.float32(np.inf), False

    def leave_out_above(self, last: np.float32) -> None:
        """Keep only children with keys up to this one."""
        keys, places, number = self.kept
        some = np.flatnonzero(keys[: number[0]] <= last)
        keys[: some.size], places[: some.size] = keys[some], places[some]
        self.last, self.dropped = min(self.last, last), self.dropped or some.size < number[0]
        number[0] = some.size

    def drop(self) -> None:
        """Keep no more than the width of the beam."""
        keys, places, _ = self.kept
        count = self.kept.number[0]
        least, dropped = least_keys(keys[:count], self.width)
        if dropped and (keys[:count] == keys[least].max()).sum() > 1:
            # Of equal ones the first are kept, whichever thread has rated them, and when.
            in_order = np.argsort(places[:count])
            keys[:count], places[:count] = keys[in_order], places[in_order]
            least, _ = least_keys(keys[:count], self.width)
        keys[: least.size], places[: least.size] = keys[least], places[least]
        self.kept.number[0] = least.size
        if dropped:
            self.dropped, self.last = True, keys[: least.size].max()


def kept_by(raters: list[Rater]) -> tuple[AnyArray, AnyArray]:
    """Return the keys and the places of all that threads have kept."""
    keys, places = (
        np.concatenate([rater.kept[k][: rater.kept.number[0]] for rater in raters])
        for k in range(2)
    )
    return keys, places
