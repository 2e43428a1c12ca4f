"""Compiled code on disk: renewed when it is outdated, and no trouble when the disk is full."""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
import warnings
from pathlib import Path
from typing import NamedTuple

import numba
import pytest
from numba.core import caching, dispatcher

import prunus
from prunus.hardware.jit import kernel_cache
from prunus.hardware.jit.kernel_cache import digest, njit
from prunus.knapsack.expanding_core.expand import expand


def test_code_that_cannot_be_saved_is_used_all_the_same(monkeypatch):
    """Numba's write fails, the compiled function works, and the user is told."""

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(caching.IndexDataCacheFile, "save", full)

    @numba.njit(cache=True)
    def double(x):
        return 2 * x

    with pytest.warns(UserWarning, match="no space left on device"):
        assert double(21) == 42
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert double(4) == 8
    assert prunus.__version__


def test_importing_brings_no_compiler():
    """Numba, rich and what draws are imported when they are wanted: a quick start."""
    late = "{'numba', 'llvmlite', 'rich', 'matplotlib', 'cupy', 'scipy', 'pandas'}"
    code = f"import sys, prunus; print(sorted({late} & set(sys.modules)))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert answer.stdout.strip() == b"[]"


def test_nothing_is_compiled_but_through_the_cache():
    """Numba's own ``njit`` would keep code that is outdated."""
    package = Path(prunus.__file__).parent
    own = re.compile(r"^\s*(from numba[\w.]* import .*\bn?jit\b|import numba$)", re.M)
    found = [path.name for path in package.rglob("*.py") if own.search(path.read_text("utf-8"))]
    assert found == ["kernel_cache.py"]


def test_no_folder_to_keep_code_in(monkeypatch):
    """Numba refuses to keep code where nothing can be written; it is compiled all the same."""

    def nowhere(function):
        raise RuntimeError("no locator available")

    monkeypatch.setattr(caching, "FunctionCache", nowhere)
    monkeypatch.setattr(dispatcher, "FunctionCache", nowhere)
    kernel_cache._say_that_nothing_is_kept.cache_clear()
    with pytest.warns(UserWarning, match="set NUMBA_CACHE_DIR") as said:
        functions = [kernel_cache.njit(nogil=True, cache=True)(lambda x: 2 * x) for _ in range(2)]
    assert len(said) == 1
    assert functions[0](21) == 42


def test_code_is_renewed_when_what_it_contains_changes(tmp_path):
    """Compiled functions, what they call and their constants count; nothing else does."""
    (tmp_path / "part").mkdir()
    files = {
        "kernel.py": "from prunus.part.limits import LIMIT\nfrom numba import njit\n",
        "part/step.py": "@inlined\ndef step(x): ...\n",
        "part/limits.py": "LIMIT = 5\n",
        "text.py": "WORDS = 1\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    before = digest(tmp_path)
    assert digest(tmp_path) == before
    for name, text in files.items():
        (tmp_path / name).write_text(text + "# changed\n")
        assert (digest(tmp_path) != before) == (name != "text.py")
        (tmp_path / name).write_text(text)


class Moved(NamedTuple):
    """An argument of compiled code."""

    value: int


def test_code_for_classes_that_are_gone_is_compiled_anew(tmp_path, monkeypatch):
    """A list of what is kept that names a class of an earlier version is as good as none."""
    file = caching.IndexDataCacheFile(str(tmp_path), "some", "stamp")
    file.save(Moved(1), "code")
    assert file.load(Moved(1)) == "code"
    monkeypatch.delattr(sys.modules[__name__], "Moved")
    file = caching.IndexDataCacheFile(str(tmp_path), "some", "stamp")
    assert file.load(1) is None
    file.save(1, "new code")
    assert file.load(1) == "new code"


def test_kernels_of_the_package_are_kept_under_its_digest():
    """Not so a user's own functions, which contain none of its code."""

    @numba.njit(cache=True)
    def double(x):
        return 2 * x

    now = digest(Path(prunus.__file__).parent)
    assert expand._cache._impl.locator.get_source_stamp()[1] == now
    assert now not in double._cache._impl.locator.get_source_stamp()


def test_what_compiled_code_calls_can_be_called_from_python():
    """It has no entry for Python, and Numba would crash; one is made when it is wanted."""

    @njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)
    def inner(x):
        return x + 1

    @njit()
    def outer(x):
        return 2 * inner(x)

    assert inner(2.5) == 3.5
    assert outer(1) == 4
    assert inner(1) == 2
