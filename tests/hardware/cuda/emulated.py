"""A stand-in for a GPU: kernels compiled for the processor, their lanes run as fibers."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any

import numpy as np

from prunus.hardware import clock
from prunus.hardware.cuda.source import source

HERE = Path(__file__).parent
COMPILER = (shutil.which("g++") or shutil.which("clang++")) if os.name == "posix" else None
ONE_AT_A_TIME = threading.Lock()
WARP = int(os.environ.get("PRUNUS_EMULATED_WARP", "32"))
"""Lanes of a warp; 64, an AMD card's, is worth a run of all tests after a change to kernels."""

EMULATION = (HERE / "emulated.hpp").read_bytes()
CACHE = Path(tempfile.gettempdir()) / "prunus-emulated"


class EmulatedDevice:
    """Offers what ``CudaDevice`` offers, on the processor; for small instances."""

    index = 0
    model = "emulated"
    _step = 1  # by which a look at the clock moves it on
    _in_turns = False  # a lane that looks at the clock lets the others go first
    _backwards = False  # the last lanes begin

    def __init__(self, warps: int = 8, shared: int = 2**20, warp: int = WARP) -> None:
        self.warp = warp
        self.multiprocessors = max(1, warps // 4)
        self.shared_limit = self.shared_total = shared

    def free_memory(self) -> int:
        return 2**30

    def trim(self) -> None:
        pass

    def fits(self, count: int) -> bool:
        return count <= self.free_memory()

    def put(self, values: Any) -> Any:
        return np.array(values)

    def full(self, count: int, value: int, kind: Any) -> Any:
        return np.full(max(count, 1), value, kind)

    def empty(self, count: int, kind: Any) -> Any:
        return np.full(
            max(count, 1), 0x5A5A5A5A & (2 ** (8 * np.dtype(kind).itemsize - 1) - 1), kind
        )

    def contiguous(self, array: Any) -> Any:
        return np.ascontiguousarray(array)

    def rows(self, array: Any, at: Any) -> Any:
        return np.ascontiguousarray(array[at])

    def write(self, array: Any, values: Any) -> None:
        array[: len(values)] = values

    def send(self, array: Any, values: Any) -> None:
        array[:] = values

    def read(self, array: Any) -> Any:
        return array.copy()

    def mark(self) -> Any:
        return None

    def until(self, event: Any) -> None:
        pass

    def is_recorded(self) -> bool:
        return False

    def wait(self, event: Any) -> None:
        pass

    def connect(self, other: Any) -> bool:
        return True

    def copy(self, target: int, source: int, count: int, origin: Any) -> None:
        ctypes.memmove(target, source, count)

    def mapped(self, count: int) -> Any:
        words = np.zeros(count + 2, np.int64)
        words = words[words.ctypes.data // 8 % 2 :][:count]
        return words, int(words.ctypes.data)

    def pinned(self, count: int, kind: Any) -> Any:
        return np.empty(count, kind)

    def read_into(self, array: Any, values: Any) -> Any:
        values[:] = array
        return values

    def fetch(self, array: Any, values: Any) -> None:
        values[:] = array

    def current(self) -> Any:
        return contextlib.nullcontext()

    def side(self) -> Any:
        return self

    def read_aside(self, array: Any) -> Any:
        return array.copy()

    def finish(self) -> None:
        pass

    def running_sum(self, array: Any) -> None:
        np.cumsum(array, dtype=array.dtype, out=array)

    def address(self, array: Any) -> int:
        return int(array.ctypes.data)

    def begin_compiling(self, path: str, constants: Any) -> None:
        pass

    @clock.paused()
    def compile(self, path: str, constants: Any) -> Any:
        flags = [f"-D{name}={value}" for name, value in {**constants, "WARP": self.warp}.items()]
        text = " ".join([path, *flags, source(path)])
        digest = hashlib.blake2b(text.encode() + EMULATION, digest_size=8)
        CACHE.mkdir(exist_ok=True)
        library = CACHE / f"{digest.hexdigest()}.so"
        if not library.exists():
            assert COMPILER is not None
            with tempfile.TemporaryDirectory() as folder:
                made, kernel = Path(folder) / "made.so", Path(folder) / "kernel.cpp"
                kernel.write_text(source(path), "utf-8")
                subprocess.run(
                    [
                        *(COMPILER, "-std=c++17", "-Og", "-shared", "-fPIC", "-w"),
                        *("-DPRUNUS_EMULATED", f"-I{HERE}", *flags),
                        *(str(kernel), "-o", str(made)),
                    ],
                    check=True,
                )
                shutil.move(made, library)
        return ctypes.CDLL(str(library))

    def prepare(self, module: Any, name: str, threads: int, shared: int) -> tuple[Any, int]:
        return (module, name), 1

    def launch(self, kernel: Any, blocks: int, threads: int, address: int, shared: int) -> None:
        with ONE_AT_A_TIME:
            self._run(kernel, blocks, threads, address, shared)

    def _run(self, kernel: Any, blocks: int, threads: int, address: int, shared: int) -> None:
        module, name = kernel
        ways = {"clock_step": self._step, "clock_yields": self._in_turns}
        for way, value in {**ways, "last_first": self._backwards}.items():
            ctypes.c_uint64.in_dll(module, way).value = value
        module.emulate(
            ctypes.cast(getattr(module, name), ctypes.c_void_p),
            ctypes.c_void_p(address),
            blocks,
            threads,
            shared,
        )

    def launch_with(self, kernel: Any, blocks: int, threads: int, record: Any, shared: int) -> None:
        self.launch(kernel, blocks, threads, record.ctypes.data, shared)

    def launch_in_turn(self, launches: Any, times: int) -> None:
        for _ in range(times):
            for one in launches:
                self.launch(*one)

    def launch_together(
        self, kernel: Any, blocks: int, threads: int, address: int, shared: int
    ) -> None:
        self.launch(kernel, blocks, threads, address, shared)
