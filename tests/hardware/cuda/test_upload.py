"""Whole matrices arrive on a device unchanged, in half the bytes where that is possible."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.hardware.cuda import upload as module
from prunus.hardware.cuda.upload import upload
from prunus.hardware.threads import Threads

RNG = np.random.default_rng(1)
ARRAYS = {
    "whole floats": (RNG.integers(-99, 99, (37, 41)).astype(float), np.float32),
    "floats": (RNG.random((37, 41)), np.float64),
    "forbidden": (np.where(RNG.random((20, 9)) < 0.5, np.inf, 1.0), np.float32),
    "float32": (RNG.random((5, 7), np.float32), np.float32),
    "int32": (RNG.integers(0, 9, (30, 3), np.int32), np.int32),
    "int64": (RNG.integers(-9, 9, (3, 30)), np.int32),
    "large": (RNG.integers(0, 2**40, (30, 30)), np.int64),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_numbers_arrive_as_they_are(device, monkeypatch, name):
    """In many small pieces, by three threads."""
    monkeypatch.setattr(module, "_PIECE", 256)
    values, kind = ARRAYS[name]
    there = upload(device, values, Threads(3))
    assert there.dtype == kind
    assert there.shape == values.shape
    assert (device.read(there) == values).all()


def test_one_number_that_needs_its_bytes_is_enough(device, monkeypatch):
    """It is none of those that are asked first: the copy begins anew, with all bytes."""
    monkeypatch.setattr(module, "_PIECE", 4096)
    values = np.zeros((200, 201))
    values[150, 7] = 0.1
    there = upload(device, values, Threads(2))
    assert there.dtype == np.float64
    assert (device.read(there) == values).all()


def test_a_pause_ends_the_copy(device):
    """What is raised between pieces comes out."""

    def pause():
        raise TimeoutError

    with pytest.raises(TimeoutError):
        upload(device, np.zeros((4, 4)), Threads(1), pause)
