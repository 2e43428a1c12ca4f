"""What is said where no GPU can be used, and what CuPy is asked where there is one."""

from __future__ import annotations

import contextlib
import ctypes
import inspect
import os
import sys
import threading
from types import SimpleNamespace

import pytest

from prunus.errors import DeviceError, MissingExtraError
from prunus.hardware.cuda import CudaDevice, available, devices, driver, kernels
from prunus.hardware.cuda import device as device_module
from prunus.hardware.cuda.driver import Driver
from tests.hardware.cuda.emulated import EmulatedDevice


class FailureError(RuntimeError):
    """CuPy's error."""


def fake_cupy(count, major=9, error=None, driver=13000):
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
        driverGetVersion=lambda: driver,
        CUDARuntimeError=FailureError,
    )
    return SimpleNamespace(cuda=SimpleNamespace(runtime=runtime))


def test_without_cupy_the_extra_is_named(monkeypatch):
    """One sentence says how to install it."""
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'prunus\[cuda13\]'"):
        devices()
    assert "cuda13" in available()


def test_without_a_driver_cupy_is_not_imported(monkeypatch):
    """It would take .4 s of the first solve only to find no driver."""
    monkeypatch.delitem(sys.modules, "cupy", raising=False)
    monkeypatch.setattr(device_module, "find_spec", lambda name: name)
    monkeypatch.setattr(device_module, "is_installed", lambda: False)
    monkeypatch.setattr(device_module, "_cupy", lambda: pytest.fail("CuPy is imported"))
    with pytest.raises(DeviceError, match="no GPU driver"):
        devices()


@pytest.mark.parametrize(
    ("cupy", "words"),
    [
        (fake_cupy(0, error="cudaErrorNoDevice: no CUDA-capable device"), "no CUDA-capable device"),
        (fake_cupy(0, error="cudaErrorInsufficientDriver: driver too old"), "nvidia-smi"),
        (fake_cupy(0, error="cudaErrorInsufficientDriver: too old", driver=0), "no GPU driver"),
        (fake_cupy(0), "this machine has no GPU"),
        (fake_cupy(1, major=6), r"compute capability 6\.0\) is too old; 7\.0 or later"),
    ],
)
def test_an_unusable_gpu_is_described_in_one_sentence(monkeypatch, cupy, words):
    """No driver, no GPU, too old a card."""
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    with pytest.raises(DeviceError, match=words):
        CudaDevice(0)
    assert "\n" not in available()


def test_a_gpu_that_is_not_there_is_refused(monkeypatch):
    """The sentence says which there are."""
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy(2))
    with pytest.raises(DeviceError, match="no GPU cuda:2; this machine has 2, cuda:0 to cuda:1"):
        CudaDevice(2)


class Limited:
    """A kernel with a limit of shared memory, which all who hold the module's kernel share."""

    max_dynamic_shared_size_bytes = 48 * 1024
    kernel = SimpleNamespace(ptr=1)


def preparing(monkeypatch):
    """Return a device that can prepare kernels, and what its driver was asked."""
    asked = []

    def ask(what):
        return lambda *arguments: (asked.append(what), 2)[1]

    driver = SimpleNamespace(occupancyMaxActiveBlocksPerMultiprocessor=ask("blocks"))
    runtime = SimpleNamespace(free=ask("context"))
    device = object.__new__(CudaDevice)
    device.index = 0
    device._cupy = SimpleNamespace(cuda=SimpleNamespace(runtime=runtime, driver=driver))
    monkeypatch.setattr(device, "current", contextlib.nullcontext)
    monkeypatch.setattr(kernels, "_kernels", {})
    monkeypatch.setattr(kernels, "_threads", threading.local())
    return device, asked


def test_a_kernel_is_prepared_once_and_a_context_made_in_every_thread(monkeypatch):
    """The driver is asked for what is not known: another size, or in a thread that is new to it."""
    device, asked = preparing(monkeypatch)
    module = SimpleNamespace(get_function=lambda name: Limited())
    first = device.prepare(module, "kernel", 128, 0)
    assert device.prepare(module, "kernel", 128, 0) == first
    assert asked == ["context", "blocks"]
    device.prepare(module, "kernel", 256, 0)
    assert asked.count("blocks") == 2
    asked.clear()
    thread = threading.Thread(target=device.prepare, args=(module, "kernel", 128, 0))
    thread.start()
    thread.join()
    assert "context" in asked


def test_a_device_takes_over_the_streams_of_one_that_is_gone(monkeypatch):
    """Whoever is there at the same time has streams of its own."""
    cupy, made = fake_cupy(1), []

    def stream(non_blocking):
        made.append(len(made))
        return contextlib.nullcontext(made[-1])

    cupy.cuda.Device = lambda index: contextlib.nullcontext()
    cupy.cuda.Stream = stream
    cupy.cuda.memory = SimpleNamespace(OutOfMemoryError=MemoryError)
    cupy.cuda.driver = SimpleNamespace(CUDADriverError=FailureError)
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    monkeypatch.setattr(device_module, "_streams", {})
    one, two = CudaDevice(0), CudaDevice(0)
    assert len({id(s) for device in (one, two) for s in (device._stream, device._beside)}) == 4
    before = one._stream, one._beside
    del one
    three = CudaDevice(0)
    assert (three._stream, three._beside) == before
    assert len(made) == 4
    assert two._stream not in before


def test_two_devices_are_connected_once(monkeypatch):
    """The driver is asked for either direction, and not again; where it cannot, every time."""
    device, _ = preparing(monkeypatch)
    other = SimpleNamespace(index=1)
    asked, able = [], {0: True, 1: False}
    runtime = SimpleNamespace(
        deviceCanAccessPeer=lambda one, two: asked.append((one, two)) or able[one],
        deviceEnablePeerAccess=asked.append,
        CUDARuntimeError=FailureError,
    )
    device._cupy = SimpleNamespace(cuda=SimpleNamespace(runtime=runtime))
    monkeypatch.setattr(device_module, "_connected", {})
    assert device.connect(other)
    assert device.connect(other)
    assert asked == [(0, 1), 1]
    device.index, other.index = 1, 0
    assert not device.connect(other)
    assert not device.connect(other)
    assert asked[2:] == [(1, 0), (1, 0)]
    other.index = 1
    assert device.connect(other)  # the same GPU by another name


def test_a_kernel_keeps_the_shared_memory_that_somebody_needs(monkeypatch):
    """Preparing it once more for a smaller problem leaves the larger one's limit as it is."""
    device, _ = preparing(monkeypatch)
    kernel = Limited()
    module = SimpleNamespace(get_function=lambda name: kernel)
    for shared, limit in ((100, 48 * 1024), (90_000, 90_000), (60_000, 90_000), (95_000, 95_000)):
        assert device.prepare(module, "kernel", 128, shared) == (kernel, 2)
        assert kernel.max_dynamic_shared_size_bytes == limit


def test_launches_in_turn_are_those_one_by_one(monkeypatch):
    """The same kernels with the same arguments in the same order, and all again.

    The driver is asked itself where it can be; its first error ends them.
    """
    device, told, status = object.__new__(CudaDevice), [], []
    monkeypatch.setattr(device, "current", contextlib.nullcontext)

    class Kernel:
        def __init__(self, handle):
            self.kernel = SimpleNamespace(ptr=handle)

        def __call__(self, grid, block, arguments, *, shared_mem):
            (address,) = arguments
            assert address.nbytes == 8
            told.append((self.kernel.ptr, grid, block, int(address), shared_mem))

    class Library:
        """The driver as it is loaded."""

        def __getattr__(self, name):
            setattr(self, name, start)
            return getattr(self, name)

    def start(*call):
        handle, blocks, y, z, threads, v, w, shared, stream, arguments, extra = call
        assert (y, z, v, w, stream, extra) == (1, 1, 1, 1, 77, None)
        address = ctypes.c_uint64.from_address(arguments[0]).value
        told.append((handle, (blocks,), (threads,), address, shared))
        return 719 if handle == 3 else 0

    monkeypatch.setattr(ctypes, "PyDLL", lambda name: Library())
    launches = [(Kernel(1), 5, 64, 2**40, 1000), (Kernel(2), 1, 32, 2**40 + 8, 0)]
    for _ in range(3):
        for one in launches:
            device.launch(*one)
    one_by_one = told.copy()
    assert len(told) == 6
    for is_hip, there in ((True, True), (False, False), (False, True)):
        told.clear()
        device._cupy = SimpleNamespace(
            cuda=SimpleNamespace(
                runtime=SimpleNamespace(is_hip=is_hip),
                driver=SimpleNamespace(check_status=status.append),
                get_current_stream=lambda: SimpleNamespace(ptr=77),
            )
        )
        monkeypatch.setattr(driver, "_load", Driver if there else lambda: None)
        device.launch_in_turn(launches, 3)
        assert told == one_by_one
    assert status == [0]
    told.clear()
    device.launch_in_turn([launches[0], (Kernel(3), 1, 32, 0, 0), launches[1]], 2)
    assert (status, [each[0] for each in told]) == ([0, 719], [1, 3])


def test_blocks_that_wait_for_one_another_are_launched_so(monkeypatch):
    """The driver is told that all blocks must run at the same time, beside the usual arguments."""
    device, told = object.__new__(CudaDevice), []
    monkeypatch.setattr(device, "current", contextlib.nullcontext)

    def start(grid, block, arguments, *, shared_mem, enable_cooperative_groups):
        told.append((grid, block, arguments, shared_mem, enable_cooperative_groups))

    device.launch_together(SimpleNamespace(kernel=start), 5, 64, 2**40, 1000)
    assert told == [((5,), (64,), (2**40,), 1000, True)]
    assert told[0][2][0].nbytes == 8


def test_a_device_does_all_that_the_emulated_one_does():
    """Code that was tested on the emulated device asks nothing else of a real one."""
    for name, method in inspect.getmembers(EmulatedDevice, inspect.isfunction):
        if not name.startswith("_"):
            real = inspect.signature(getattr(CudaDevice, name)).parameters
            assert list(inspect.signature(method).parameters) == list(real), name


def test_kernels_that_cannot_be_saved_are_compiled_in_memory(monkeypatch):
    """A full disk costs a warning; what the next error says comes out."""
    monkeypatch.setenv("CUPY_CACHE_IN_MEMORY", "")
    asked = []

    def compile_it():
        asked.append(os.environ["CUPY_CACHE_IN_MEMORY"])
        if not asked[-1]:
            raise OSError(28, "No space left on device")

    with pytest.warns(UserWarning, match="No space left on device"):
        kernels._compile(SimpleNamespace(compile=compile_it))
    assert asked == ["", "1"]
