"""Kernel files are compiled by threads of their own, once, and waiting for them can be ended."""

from __future__ import annotations

import contextlib
import signal
import threading
from types import SimpleNamespace

import pytest

from prunus.errors import DeviceError
from prunus.hardware import clock
from prunus.hardware.cuda import CudaDevice, kernels
from prunus.hardware.cuda.source import options
from prunus.runtime.interrupts import Interrupts


@pytest.fixture
def device(monkeypatch):
    """A device whose compiler does what a test says, and the files it was asked for."""
    device = object.__new__(CudaDevice)
    device.index = 0
    device._cupy = SimpleNamespace()
    monkeypatch.setattr(device, "current", contextlib.nullcontext)
    monkeypatch.setattr(kernels, "_modules", {})
    return device


def test_files_are_compiled_side_by_side_and_once(device, monkeypatch):
    """Each of three waits until all are being compiled; asked for again, they are there."""
    together = threading.Barrier(3)
    asked = []

    def compiled(path, constants):
        asked.append(path)
        together.wait(60)
        return f"module of {path} for {constants['LEVELS']}"

    monkeypatch.setattr(device, "_compiled", compiled)
    for path in ("a.cu", "b.cu"):
        device.begin_compiling(path, {"LEVELS": 4})
    assert clock.paused_since() is None
    assert device.compile("c.cu", {"LEVELS": 4}) == "module of c.cu for 4"
    for path in ("a.cu", "b.cu", "c.cu"):
        assert device.compile(path, {"LEVELS": 4}) == f"module of {path} for 4"
    assert sorted(asked) == ["a.cu", "b.cu", "c.cu"]


def test_a_file_that_did_not_compile_is_tried_again(device, monkeypatch):
    """The error comes out, as often as it happens; memory may be free the next time."""
    answers = [DeviceError("too little memory"), DeviceError("still"), None]

    def compiled(path, constants):
        answer = answers.pop(0)
        if answer is not None:
            raise answer
        return "module"

    monkeypatch.setattr(device, "_compiled", compiled)
    for words in ("too little memory", "still"):
        with pytest.raises(DeviceError, match=words):
            device.compile("a.cu", {})
    assert device.compile("a.cu", {}) == "module"


def test_an_interrupt_ends_the_wait_and_not_the_compiler(device, monkeypatch):
    """Ctrl-C is not kept waiting for seconds, and what is compiled meanwhile is of use later."""
    go, asked = threading.Event(), []

    def compiled(path, constants):
        asked.append(path)
        signal.raise_signal(signal.SIGINT)
        go.wait(10)
        return "module"

    monkeypatch.setattr(device, "_compiled", compiled)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with Interrupts() as interrupts, pytest.raises(KeyboardInterrupt):
            device.compile("a.cu", {})
        assert interrupts.raised
    finally:
        signal.signal(signal.SIGINT, before)
    assert clock.paused_since() is None
    go.set()
    assert device.compile("a.cu", {}) == "module"
    assert asked == ["a.cu"]


def test_cards_that_want_the_same_compile_it_once(monkeypatch):
    """The second one waits for the first, and finds what is compiled on disk."""
    monkeypatch.setattr(kernels, "_modules", {})
    lock, done = threading.Lock(), []

    class Module:
        def __init__(self, code, options):
            self.code = code

        def compile(self):
            assert lock.acquire(blocking=False), "two at a time"
            wait_a_moment.wait(0.2)
            lock.release()
            done.append(self.code)

    wait_a_moment = threading.Event()
    nvrtc = SimpleNamespace(getVersion=lambda: (13, 0))
    compiler = SimpleNamespace(CompileException=RuntimeError)
    cupy = SimpleNamespace(RawModule=Module, cuda=SimpleNamespace(nvrtc=nvrtc, compiler=compiler))
    cards = []
    for index in (0, 1):
        card = object.__new__(CudaDevice)
        card.index, card._cupy = index, cupy
        monkeypatch.setattr(card, "current", contextlib.nullcontext)
        card.begin_compiling("hardware/cuda/pick.cu", {"VALUE": "int", "THREADS": 256})
        cards.append(card)
    for card in cards:
        card.compile("hardware/cuda/pick.cu", {"VALUE": "int", "THREADS": 256})
    assert len(done) == 2
    assert done[0].startswith("#define VALUE int\n#define THREADS 256\n#line 1\n")


@pytest.mark.parametrize(("version", "splits"), [((13, 0), True), ((12, 4), False)])
def test_a_compiler_that_can_uses_all_cores(version, splits):
    """Older ones do not know the option, or have a fault there."""
    told = options(SimpleNamespace(getVersion=lambda: version))
    assert ("-split-compile=0" in told) == splits
