"""Whether GPUs may change each other's memory: what the driver says, in what cases."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace

import pytest

from prunus.hardware.cuda.reach import atomics_reach


class Cupy:
    """A stand-in for CuPy."""

    def __init__(self, is_hip=False):
        self.cuda = SimpleNamespace(runtime=SimpleNamespace(is_hip=is_hip))


class Driver:
    """Answers that atomic operations of GPU 0 reach GPU 1, not the other way round."""

    def __init__(self, error):
        self.error = error

    def cuDeviceGetP2PAttribute(self, value, attribute, origin, target):  # noqa: N802
        assert attribute == 3
        value._obj.value = int((origin, target) == (0, 1))
        return self.error


@pytest.mark.parametrize("error", [0, 1])
def test_the_driver_is_asked(error, monkeypatch):
    """Its answer counts for each direction; an error means no."""
    monkeypatch.setattr(ctypes, "CDLL", lambda name: Driver(error))
    assert atomics_reach(Cupy(), 0, 1) is (error == 0)
    assert not atomics_reach(Cupy(), 1, 0)


def test_without_a_driver_or_on_other_cards_nothing_is_in_reach(monkeypatch):
    """No library, or AMD's: kernels keep to their own memory."""

    def missing(name):
        raise OSError(name)

    monkeypatch.setattr(ctypes, "CDLL", missing)
    assert not atomics_reach(Cupy(), 0, 1)
    monkeypatch.setattr(ctypes, "CDLL", lambda name: Driver(0))
    assert not atomics_reach(Cupy(is_hip=True), 0, 1)
