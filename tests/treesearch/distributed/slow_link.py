"""Network links that are slow and lose packets, for machines that are namespaces."""

from __future__ import annotations

import heapq
import os
import random
import select
import struct
import threading
from contextlib import suppress
from time import monotonic

TUNSETIFF = 0x400454CA
TAP, PLAIN = 0x0002, 0x1000


def tap(name: str) -> int:
    """Make a network interface; return the file of what goes through it."""
    import fcntl  # there is none on Windows, where this module is imported and not used

    file = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(file, TUNSETIFF, struct.pack("16sH22x", name.encode(), TAP | PLAIN))
    return file


class SlowLinks:
    """Passes frames on between pairs of interfaces, some time later, and not all of them.

    Parameters
    ----------
    pairs
        Names of interfaces, which are made here.
    delay_s
        Seconds one way.
    loss
        The share of frames that are lost.
    """

    def __init__(self, pairs: list[tuple[str, str]], delay_s: float, loss: float) -> None:
        self.passed = self.lost = 0
        self._delay_s, self._loss, self._chance = delay_s, loss, random.Random(1)
        self._other: dict[int, int] = {}
        for one, other in pairs:
            here, there = tap(one), tap(other)
            self._other |= {here: there, there: here}
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        poll, due = select.poll(), []
        for file in self._other:
            poll.register(file, select.POLLIN)
        while not self._ended.is_set():
            wait = 0.1 if not due else min(0.1, max(0.0, due[0][0] - monotonic()))
            for file, _ in poll.poll(1000 * wait):
                with suppress(OSError):  # it is not up yet
                    frame = os.read(file, 2**16)
                    if self._chance.random() < self._loss:
                        self.lost += 1
                    else:
                        self.passed += 1
                        when = monotonic() + self._delay_s
                        heapq.heappush(due, (when, self.passed, self._other[file], frame))
            while due and due[0][0] <= monotonic():
                _, _, file, frame = heapq.heappop(due)
                with suppress(OSError):
                    os.write(file, frame)

    def close(self) -> None:
        """Take the interfaces away."""
        self._ended.set()
        self._thread.join()
        for file in self._other:
            os.close(file)
