"""What is said where no GPU can be used, and what CuPy is asked where there is one."""

from __future__ import annotations

import contextlib
import inspect
import sys
from types import SimpleNamespace

import pytest

from prunus.cuda import Device, available, devices
from prunus.errors import DeviceError, MissingExtraError
from tests.cuda.emulated import EmulatedDevice


class FailureError(RuntimeError):
    """CuPy's error."""


def fake_cupy(count, major=9, error=None):
    """Just enough of CuPy to be asked for its GPUs."""

    def get_count():
        if error:
            raise FailureError(error)
        return count

    properties = {
        "name": b"Some card",
        "major": major,
        "minor": 0,
        "multiProcessorCount": 4,
        "sharedMemPerBlockOptin": 2**16,
        "sharedMemPerMultiprocessor": 2**16,
    }
    runtime = SimpleNamespace(
        getDeviceCount=get_count,
        getDeviceProperties=lambda index: properties,
        CUDARuntimeError=FailureError,
    )
    return SimpleNamespace(cuda=SimpleNamespace(runtime=runtime))


def test_without_cupy_the_extra_is_named(monkeypatch):
    """One sentence says how to install it."""
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'prunus\[cuda13\]'"):
        devices()
    assert "cuda13" in available()


@pytest.mark.parametrize(
    ("cupy", "words"),
    [
        (fake_cupy(0, error="cudaErrorNoDevice: no CUDA-capable device"), "no CUDA-capable device"),
        (fake_cupy(0, error="cudaErrorInsufficientDriver: driver too old"), "nvidia-smi"),
        (fake_cupy(0), "this machine has no GPU"),
        (fake_cupy(1, major=6), r"compute capability 6\.0\) is too old; 7\.0 or later"),
    ],
)
def test_an_unusable_gpu_is_described_in_one_sentence(monkeypatch, cupy, words):
    """No driver, no GPU, too old a card."""
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    with pytest.raises(DeviceError, match=words):
        Device(0)
    assert "\n" not in available()


def test_a_gpu_that_is_not_there_is_refused(monkeypatch):
    """The sentence says which there are."""
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy(2))
    with pytest.raises(DeviceError, match="no GPU cuda:2; this machine has 2, cuda:0 to cuda:1"):
        Device(2)


class Limited:
    """A kernel with a limit of shared memory, which all who hold the module's kernel share."""

    max_dynamic_shared_size_bytes = 48 * 1024
    kernel = SimpleNamespace(ptr=1)


def test_a_kernel_keeps_the_shared_memory_that_somebody_needs(monkeypatch):
    """Preparing it once more for a smaller problem leaves the larger one's limit as it is."""
    driver = SimpleNamespace(occupancyMaxActiveBlocksPerMultiprocessor=lambda *_: 2)
    runtime = SimpleNamespace(free=lambda _: None)
    device = object.__new__(Device)
    device._cupy = SimpleNamespace(cuda=SimpleNamespace(runtime=runtime, driver=driver))
    monkeypatch.setattr(device, "_here", contextlib.nullcontext)
    kernel = Limited()
    module = SimpleNamespace(get_function=lambda name: kernel)
    for shared, limit in ((100, 48 * 1024), (90_000, 90_000), (60_000, 90_000), (95_000, 95_000)):
        assert device.prepare(module, "kernel", 128, shared) == (kernel, 2)
        assert kernel.max_dynamic_shared_size_bytes == limit


def test_launches_in_turn_are_those_one_by_one(monkeypatch):
    """The same kernels with the same arguments in the same order, and all again."""
    device, told = object.__new__(Device), []
    monkeypatch.setattr(device, "_here", contextlib.nullcontext)

    def kernel(name):
        def start(grid, block, arguments, *, shared_mem):
            (address,) = arguments
            told.append((name, grid, block, type(address), int(address), shared_mem))

        return start

    launches = [(kernel("a"), 5, 64, 2**40, 1000), (kernel("b"), 1, 32, 2**40 + 8, 0)]
    for _ in range(3):
        for one in launches:
            device.launch(*one)
    one_by_one = told.copy()
    told.clear()
    device.launch_in_turn(launches, 3)
    assert told == one_by_one
    assert len(told) == 6


def test_a_device_does_all_that_the_emulated_one_does():
    """Code that was tested on the emulated device asks nothing else of a real one."""
    for name, method in inspect.getmembers(EmulatedDevice, inspect.isfunction):
        if not name.startswith("_"):
            real = inspect.signature(getattr(Device, name)).parameters
            assert list(inspect.signature(method).parameters) == list(real), name
