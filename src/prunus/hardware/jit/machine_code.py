"""Compiled code is loaded from the disk by LLVM alone, without importing Numba.

Importing Numba and setting up its compiler takes half a second, loading the machine code of a
function a millisecond. What is kept is what Numba's own cache keeps of a function that nothing else
is linked with, an object file, and the names that it needs from outside. Its entry for Python is
the one that Numba's dispatcher would call.

On Linux alone: nobody has tried elsewhere what happens where a name is missing.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.machinery
import importlib.util
import os
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

_HARMLESS = "NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS"
"""Settings of Numba that leave what it generates as it is."""


class MachineCode(NamedTuple):
    """An object file with the code of a function."""

    content: bytes
    """The file."""
    entry: str
    environment: str
    """The names of its entry for Python, and of the place for the address of Numba's
    environment."""
    needs: tuple[str, ...]
    """The names that it needs from outside."""


@functools.cache
def is_possible() -> bool:
    """Tell whether code is loaded in this way here."""
    settings = (name for name in os.environ if name.startswith("NUMBA_") and name not in _HARMLESS)
    return sys.platform == "linux" and not any(settings) and not Path(".numba_config.yaml").exists()


@functools.cache
def processor() -> str:
    """Return what LLVM generates code for here."""
    from llvmlite import binding

    features = binding.get_host_cpu_features().flatten()
    return f"{binding.get_process_triple()} {binding.get_host_cpu_name()} {features}"


def machine_code_of(compiled: Any) -> MachineCode | None:
    """Return the code of what Numba has just compiled; None if only Numba can load it."""
    module, kind = compiled.library._final_module, compiled.fndesc
    if compiled.environment.consts or compiled.reload_init or any(compiled.lifted):
        return None
    if compiled.library.has_dynamic_globals:
        return None
    outside = [*module.functions, *module.global_variables]
    needs = {part.name for part in outside if part.is_declaration}
    needs = {name for name in needs if not name.startswith("llvm.")}
    if not all(map(_address, needs)):
        return None
    content = compiled.library._get_compiled_object()
    return MachineCode(content, kind.llvm_cpython_wrapper_name, kind.env_name, (*sorted(needs),))


def link(code: MachineCode, function: Any) -> Callable[..., Any] | None:
    """Return a function that Python can call; None if something is not as it was.

    ``function`` is what the code was compiled from.
    """
    from llvmlite import binding

    engine = _engine()
    addresses = {name: _address(name) for name in code.needs}  # known to LLVM with an engine only
    if not all(addresses.values()):
        return None
    for name in addresses.keys() & _helpers().keys():
        binding.add_symbol(name, addresses[name])
    engine.add_object_file(binding.ObjectFileRef.from_data(code.content))
    engine.finalize_object()
    entry = engine.get_function_address(code.entry)
    place = engine.get_global_value_address(code.environment)
    if not entry or not place:
        return None
    numbas = _extension("numba._dynfunc")
    environment = numbas.Environment(function.__globals__)
    ctypes.c_void_p.from_address(place).value = id(environment)
    module = sys.modules.get(function.__module__) or ModuleType(str(function.__module__))
    name, words = function.__name__, f"compiled {function.__qualname__}"
    called: Callable[..., Any] = numbas.make_function(
        module, name, words, entry, environment, (engine, environment)
    )
    return called


def _engine() -> Any:
    """Return what links one object file: several may contain the same names."""
    from llvmlite import binding

    _initialise()
    target = binding.Target.from_triple(binding.get_process_triple())
    # The engine owns the target machine.
    return binding.create_mcjit_compiler(
        binding.parse_assembly(""), target.create_target_machine(jit=True)
    )


@functools.cache
def _initialise() -> None:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()


def _address(name: str) -> int:
    """Return where something is that machine code needs; 0 if it is nowhere."""
    from llvmlite import binding

    return _helpers().get(name) or binding.address_of_symbol(name) or 0


@functools.cache
def _helpers() -> dict[str, int]:
    """Return the addresses of Numba's helpers in C."""
    helpers: dict[str, int] = _extension("numba._helperlib").c_helpers
    return {f"numba_{name}": address for name, address in helpers.items()}


@functools.cache
def _extension(name: str) -> ModuleType:
    """Return one of Numba's modules in C, without importing Numba, which would take its time."""
    if name in sys.modules:
        return sys.modules[name]
    package = importlib.util.find_spec("numba")
    assert package is not None
    assert package.origin is not None
    stem = Path(package.origin).with_name(name.rpartition(".")[2])
    paths = (f"{stem}{suffix}" for suffix in importlib.machinery.EXTENSION_SUFFIXES)
    loader = importlib.machinery.ExtensionFileLoader(name, next(filter(os.path.exists, paths)))
    spec = importlib.util.spec_from_file_location(name, loader.path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def packed(key: str, code: MachineCode) -> bytes:
    """Return code, and what it is for, as bytes for a file."""
    return pickle.dumps((key, tuple(code)))


def unpacked(key: str, content: bytes | None) -> MachineCode | None:
    """Return what ``packed`` made bytes of; None for anything else."""
    if content is None:
        return None
    try:
        kept, code = pickle.loads(content)
        return MachineCode(*code) if kept == key else None
    except Exception:
        return None
