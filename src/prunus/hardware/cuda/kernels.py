"""What a device does with kernels: they are compiled and prepared once, and launched.

They are compiled by threads of their own: several at a time, and whoever waits for one can be
interrupted.
"""

from __future__ import annotations

import os
import threading
import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from functools import cache
from typing import Any

import numpy as np

from prunus.errors import DeviceError
from prunus.hardware import clock
from prunus.hardware.cuda.driver import Launch, driver
from prunus.hardware.cuda.source import options, specialised
from prunus.model.arrays import AnyArray

_AT_ONCE = 8
"""Kernel files that are compiled at the same time."""

_TURN = 0.1
"""Seconds in which a signal is heard."""

_modules: dict[tuple[Any, ...], Future[Any]] = {}
"""Kernels that are loaded, or will be: a second search begins a millisecond sooner."""

_kernels: dict[tuple[Any, ...], tuple[Any, Any, int]] = {}
"""Kernels that are prepared, with the modules that hold them."""

_TEXTS: dict[str, threading.Lock] = {}

_LIMITS = threading.Lock()

_threads = threading.local()
"""The GPUs for which a thread has a context of the driver's."""


def _compile(module: Any) -> None:
    """Compile a module; where CuPy's folder for compiled code cannot be written, in memory."""
    try:
        module.compile()
    except OSError as error:
        if os.environ.get(_IN_MEMORY):
            raise
        warnings.warn(
            f"compiled kernels cannot be kept on disk ({error}): every run compiles again; set "
            "CUPY_CACHE_DIR to a writable folder",
            stacklevel=4,
        )
        os.environ[_IN_MEMORY] = "1"
        module.compile()


_IN_MEMORY = "CUPY_CACHE_IN_MEMORY"


@cache
def _threads_that_compile() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="prunus-compile")


class Kernels:
    """The part of a ``Device`` that knows its kernels."""

    index: int
    model: str
    _cupy: Any

    def current(self) -> AbstractContextManager[None]:
        """Make the device and its stream the current ones."""
        raise NotImplementedError

    def compile(self, path: str, constants: Mapping[str, int | str]) -> Any:
        """Compile a kernel file, or find it in CuPy's cache on disk, or in this process's."""
        module = self._begin(path, constants)
        if not module.done():
            with clock.paused():
                # In turns: a signal does not always reach the thread that waits.
                while not module.done():
                    wait((module,), _TURN)
        return module.result()

    def begin_compiling(self, path: str, constants: Mapping[str, int | str]) -> None:
        """Let a kernel file be compiled meanwhile that will be wanted; ``compile`` waits for it."""
        self._begin(path, constants)

    def _begin(self, path: str, constants: Mapping[str, int | str]) -> Future[Any]:
        key = id(self._cupy), self.index, path, tuple(sorted(constants.items()))
        with _LIMITS:
            known = _modules.get(key)
            if known is None or (known.done() and known.exception() is not None):
                known = _modules[key] = _threads_that_compile().submit(
                    self._compiled, path, dict(constants)
                )
        return known

    def _compiled(self, path: str, constants: Mapping[str, int | str]) -> Any:
        cupy = self._cupy
        text = specialised(path, constants)
        # One GPU compiles and the others, mostly of the same kind, find it on disk.
        with _TEXTS.setdefault(text, threading.Lock()), self.current():
            module = cupy.RawModule(code=text, options=options(cupy.cuda.nvrtc))
            try:
                _compile(module)
            except cupy.cuda.compiler.CompileException as error:
                raise DeviceError(f"{path} does not compile for {self.model}: {error}") from error
            return module

    def prepare(self, module: Any, name: str, threads: int, shared: int) -> tuple[Any, int]:
        key = id(module), self.index, name, threads, shared
        known = getattr(_threads, "known", None) or set()
        if key in _kernels and self.index in known:
            return _kernels[key][1:]
        with self.current():
            # The first call of a thread that has compiled nothing: the driver wants a context.
            self._cupy.cuda.runtime.free(0)
            _threads.known = known | {self.index}
            kernel = module.get_function(name)
            # The limit is the kernel's, whoever holds it: what needs less must not lower it.
            with _LIMITS:
                if shared > 48 * 1024 and shared > kernel.max_dynamic_shared_size_bytes:
                    kernel.max_dynamic_shared_size_bytes = shared
            blocks = self._cupy.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(
                kernel.kernel.ptr, threads, shared
            )
            _kernels[key] = module, kernel, int(blocks)
            return kernel, int(blocks)

    def launch(self, kernel: Any, blocks: int, threads: int, address: int, shared: int) -> None:
        with self.current():
            kernel((blocks,), (threads,), (np.uint64(address),), shared_mem=shared)

    def launch_with(
        self, kernel: Any, blocks: int, threads: int, record: AnyArray, shared: int
    ) -> None:
        """Start a kernel whose only argument is a structure, the bytes of an array on the host.

        By the driver: CuPy's way there takes as long again.
        """
        argument, cuda = np.array([record.ctypes.data], np.uint64), self._cupy.cuda
        with self.current():
            cuda.driver.launchKernel(
                kernel.kernel.ptr, blocks, 1, 1, threads, 1, 1, shared,
                cuda.get_current_stream().ptr, argument.ctypes.data, 0,
            )  # fmt: skip

    def launch_in_turn(self, launches: Sequence[Launch], times: int) -> None:
        """Start kernels one after the other, and all again, so many times.

        Takes less of the interpreter, which other devices wait for, than one by one; each of
        ``launches`` is what ``launch`` takes.
        """
        cuda = self._cupy.cuda
        own = driver(self._cupy)
        with self.current():
            if own is not None:
                stream = cuda.get_current_stream().ptr
                cuda.driver.check_status(own.launch_in_turn(launches, times, stream))
                return
            for _ in range(times):
                for each in launches:
                    self.launch(*each)

    def launch_together(
        self, kernel: Any, blocks: int, threads: int, address: int, shared: int
    ) -> None:
        """Start a kernel whose blocks wait for one another: all of them run at the same time.

        Whatever else is on the device, either all begin or none; at most as many blocks as
        ``prepare`` counts on all multiprocessors.
        """
        with self.current():
            kernel.kernel(
                (blocks,),
                (threads,),
                (np.uint64(address),),
                shared_mem=shared,
                enable_cooperative_groups=True,
            )
