"""How much memory there is."""

from __future__ import annotations

import ctypes
from types import SimpleNamespace

from prunus.hardware import memory


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
