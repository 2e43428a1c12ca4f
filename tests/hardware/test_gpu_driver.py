# ruff: noqa: N802
"""The driver of a GPU starts once, beside the imports, and only where this process needs it."""

from __future__ import annotations

import ctypes
import importlib.util
import threading

import pytest

from prunus.hardware import gpu_driver

_START = gpu_driver.start


class Driver:
    """Notes what it is asked for."""

    def __init__(self, status: int = 0) -> None:
        self.status, self.calls = status, list[str]()

    def cuInit(self, flags):
        self.calls.append("init")
        return self.status

    def cuDeviceGet(self, device, index):
        self.calls.append(f"device {index}")
        return 0 if index < 2 else 101

    def cuDevicePrimaryCtxRetain(self, context, device):
        self.calls.append("context")
        return 0


@pytest.fixture(autouse=True)
def _nothing_started(monkeypatch):
    """Pretend that CuPy is installed, and forget what has been started before and after a test."""
    monkeypatch.setattr(gpu_driver, "find_spec", lambda name: importlib.util.find_spec("sys"))
    _START.cache_clear()
    yield
    _START.cache_clear()


def wait() -> None:
    for thread in threading.enumerate():
        if thread.name == "prunus-gpu-driver":
            thread.join()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["solve", "queens:18", "--devices", "cuda:1"], [1]),
        (["solve", "x.txt", "--devices=cpu:2,cuda", "-q"], [0]),
        (["resume", "run.ckpt", "--devices", "cuda:0,cuda:2"], [0, 2]),
        (["compile", "--devices", "cuda:0"], []),
        (["solve", "ta056", "--dask", "tcp://a:1", "--devices", "cuda:0"], []),
        (["solve", "own.py:TOUR", "--devices", "cuda:0"], []),
        (["solve", "cuda:1"], []),
        (["solve", "x.txt", "--devices", "cudax"], []),
        (["solve", "x.txt", "--devices"], []),
        ([], []),
    ],
)
def test_gpus_of_a_command_line(words, expected, monkeypatch):
    """GPUs are found in ``--devices``, and left alone if others may need them first."""
    started: list[int] = []
    monkeypatch.setattr(gpu_driver, "start", started.append)
    gpu_driver.start_for(words)
    assert started == expected


def test_a_context_is_created_once(monkeypatch):
    """A second solve does not ask the driver again."""
    driver = Driver()
    monkeypatch.setattr(ctypes, "CDLL", lambda name: driver)
    gpu_driver.start(1)
    gpu_driver.start(1)
    wait()
    assert driver.calls == ["init", "device 1", "context"]


def test_a_driver_that_fails_or_is_missing_is_no_error(monkeypatch, capfd):
    """Nothing is raised or printed: opening the GPU reports the error."""
    failing, few = Driver(status=100), Driver()
    libraries = iter([failing, few])

    def load(name):
        try:
            return next(libraries)
        except StopIteration:
            raise OSError(name) from None

    monkeypatch.setattr(ctypes, "CDLL", load)
    for index in (0, 2, 3):
        gpu_driver.start(index)
        wait()
    assert failing.calls == ["init"]
    assert few.calls == ["init", "device 2"]
    assert capfd.readouterr().err == ""


def test_without_cupy_the_driver_is_not_started(monkeypatch):
    """A GPU that cannot be used keeps its memory."""
    monkeypatch.setattr(gpu_driver, "find_spec", lambda name: None)
    monkeypatch.setattr(ctypes, "CDLL", lambda name: pytest.fail("the driver was loaded"))
    gpu_driver.start(0)
    assert all(thread.name != "prunus-gpu-driver" for thread in threading.enumerate())


@pytest.mark.parametrize(("library", "amd", "found"), [(1, 0, 1), (0, 1, 1), (0, 0, 0)])
def test_a_driver_is_found_without_cupy(monkeypatch, tmp_path, library, amd, found):
    """NVIDIA's is a library that can be loaded, AMD's a device file."""

    def load(name):
        if not library:
            raise OSError(name)

    monkeypatch.setattr(ctypes, "CDLL", load)
    monkeypatch.setattr(gpu_driver, "_AMD", tmp_path if amd else tmp_path / "none")
    gpu_driver.is_installed.cache_clear()
    assert gpu_driver.is_installed() == bool(found)
    gpu_driver.is_installed.cache_clear()
