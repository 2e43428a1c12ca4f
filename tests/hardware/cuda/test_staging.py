"""Small copies by way of the host's own memory, on a driver that puts all of them off."""

from __future__ import annotations

import ctypes
import random
from types import SimpleNamespace

import numpy as np

from prunus.hardware.cuda.staging import LARGEST, Staging


class Late:
    """CuPy, a stream of it and its memory: what is asked for is done when somebody waits."""

    def __init__(self):
        runtime = {"memcpyHostToDevice": 1, "memcpyDeviceToHost": 2, "memcpyAsync": self.copy}
        self.cuda = SimpleNamespace(
            runtime=SimpleNamespace(**runtime),
            alloc_pinned_memory=self.pinned,
            Event=lambda disable_timing: Event(self),
        )
        self.ptr, self.put_off, self.waits = 7, [], 0
        self.events = []

    def pinned(self, count):
        return Pinned(count)

    def copy(self, target, source, count, kind, stream):
        assert stream == self.ptr
        self.put_off.append((target, source, count))

    def record(self, event):
        event.copies = len(self.put_off)

    def synchronize(self):
        self.do(len(self.put_off))

    def do(self, copies):
        """Do the first of what was put off."""
        self.waits += 1
        for copy in self.put_off[:copies]:
            ctypes.memmove(*copy)
        del self.put_off[:copies]
        for event in self.events:
            event.copies = max(0, event.copies - copies)


class Event:
    """What was put off when it was recorded."""

    def __init__(self, driver):
        self.driver, self.copies = driver, 0
        driver.events.append(self)

    def synchronize(self):
        if self.copies:
            self.driver.do(self.copies)


class Pinned(bytearray):
    """Memory that knows where it is."""

    @property
    def ptr(self):
        return ctypes.addressof(ctypes.c_char.from_buffer(self))


def test_what_was_sent_arrives_whatever_happens_to_it_on_the_way():
    """More than there is room for, of any length and kind, changed as soon as it was sent."""
    rng, driver = random.Random(1), Late()
    staging = Staging(driver)
    there, right = np.zeros((2, 30 * LARGEST), np.uint8)
    at = 0
    for k in range(120):
        kind = rng.choice([np.uint8, np.int32, np.uint64])
        most = LARGEST // np.dtype(kind).itemsize
        count = rng.choice([1, 5, rng.randint(1, most), most])
        if at + LARGEST > len(there):
            break
        values = np.arange(k, k + count).astype(kind)
        right[at : at + values.nbytes] = values.view(np.uint8)
        staging.send(values, there.ctypes.data + at, driver)
        values[:] = 0
        at += values.nbytes + rng.randint(0, 3)
    assert 0 < driver.waits < 40
    driver.synchronize()
    np.testing.assert_array_equal(there, right)


def test_a_sender_waits_for_old_copies_only():
    """What was sent last is still on its way when there is room again: the device stays busy."""
    driver = Late()
    staging = Staging(driver)
    there, values = np.zeros(LARGEST, np.uint8), np.ones(LARGEST, np.uint8)
    left = []
    for _ in range(40):
        staging.send(values, there.ctypes.data, driver)
        left.append(len(driver.put_off))
    assert driver.waits > 0
    assert min(left[8:]) > 1


def test_what_comes_is_what_was_sent_before():
    """In the shape that is wanted; waiting for the stream and for nothing else."""
    driver = Late()
    staging = Staging(driver)
    there, here = np.zeros((3, 5)), np.zeros((3, 5))
    values = np.arange(15.0).reshape(3, 5)
    staging.send(values, there.ctypes.data, driver)
    assert driver.waits == 0
    staging.receive(here, there.ctypes.data, driver)
    np.testing.assert_array_equal(here, values)
    assert driver.waits == 1
