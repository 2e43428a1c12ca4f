# ruff: noqa: N802
"""The driver of a GPU is begun beside the imports, once, and nothing comes of it where it fails."""

from __future__ import annotations

import ctypes
import threading

import pytest

from prunus.hardware import gpu_driver


class Driver:
    """Notes what it is asked for."""

    def __init__(self, begins: bool = True) -> None:
        self.begins, self.calls = begins, list[str]()

    def cuInit(self, flags):
        self.calls.append("init")
        return 0 if self.begins else 100

    def cuDeviceGet(self, device, index):
        self.calls.append(f"device {index}")
        return 0

    def cuDevicePrimaryCtxRetain(self, context, device):
        self.calls.append("context")
        return 0


@pytest.fixture(autouse=True)
def anew():
    """Have nothing begun before or after a test."""
    gpu_driver.begin.cache_clear()
    yield
    gpu_driver.begin.cache_clear()


def wait() -> None:
    for thread in threading.enumerate():
        if thread.name == "prunus-driver":
            thread.join()


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["solve", "queens:18", "--devices", "cuda:1"], [1]),
        (["solve", "x.txt", "--devices=cpu:2,cuda", "-q"], [0]),
        (["resume", "run.ckpt", "--devices", "cuda:0,cuda:2"], [0, 2]),
        (["compile", "--devices", "cuda:0"], []),
        (["solve", "ta056", "--dask", "tcp://a:1", "--devices", "cuda:0"], []),
        (["solve", "cuda:1"], []),
        (["solve", "x.txt", "--devices", "cudax"], []),
        (["solve", "x.txt", "--devices"], []),
        ([], []),
    ],
)
def test_what_a_command_line_names_is_begun(words, wanted, monkeypatch):
    """Only devices count, however they are written, and nothing that is no device."""
    begun = []
    monkeypatch.setattr(gpu_driver, "begin", begun.append)
    gpu_driver.begin_as_told(words)
    assert begun == wanted


def test_a_context_is_made_once(monkeypatch):
    """A second solve asks the driver for nothing."""
    driver = Driver()
    monkeypatch.setattr(ctypes, "CDLL", lambda name: driver)
    gpu_driver.begin(1)
    gpu_driver.begin(1)
    wait()
    assert driver.calls == ["init", "device 1", "context"]


def test_a_driver_that_fails_or_is_missing_is_no_error(monkeypatch, capfd):
    """What is wrong is told by whoever opens the GPU."""
    driver = Driver(begins=False)
    monkeypatch.setattr(ctypes, "CDLL", lambda name: driver)
    gpu_driver.begin(0)
    wait()

    def missing(name):
        raise OSError(name)

    monkeypatch.setattr(ctypes, "CDLL", missing)
    gpu_driver.begin(1)
    wait()
    assert driver.calls == ["init"]
    assert capfd.readouterr().err == ""
