"""How much memory there is, and a limit that is too tight for the compiler."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from importlib.util import find_spec
from types import SimpleNamespace

import pytest

from prunus.hardware import memory

CODE = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({limit}, {limit}))
from prunus.cli.entry import run
sys.exit(run(["solve", "queens:6", "--devices", "cpu:1"]))
"""


@pytest.mark.skipif(find_spec("resource") is None, reason="needs limits of memory")
@pytest.mark.parametrize("limit", [300, 400, 500])
def test_too_little_memory_is_said(limit):
    """Numba would hang, end the process, or blame a missing library."""
    code = CODE.format(limit=limit << 20)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode != 0
    assert f"this process may use {limit} MiB of memory (ulimit -v)" in done.stderr
    assert "Traceback" not in done.stderr


def test_windows_tells_how_much_memory_is_free(monkeypatch):
    """Without /proc Windows is asked, and its record has the layout that is documented."""

    def tell(pointer):
        status = pointer._obj
        assert ctypes.sizeof(status) == status.length == 64
        assert (type(status).total.offset, type(status).free.offset) == (8, 16)
        status.free = 48 << 30
        return 1

    def missing(*_, **__):
        raise FileNotFoundError

    kernel = SimpleNamespace(GlobalMemoryStatusEx=tell)
    monkeypatch.setattr(memory, "open", missing, raising=False)
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=kernel), raising=False)
    assert memory.usable_memory(0.5) == 24 << 30
    kernel.GlobalMemoryStatusEx = lambda _: 0
    assert memory.usable_memory(0.5) == 2 << 30
