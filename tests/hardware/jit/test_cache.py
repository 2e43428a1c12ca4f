"""Compiled code on disk: renewed when outdated or damaged, and kept where nobody else writes."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import subprocess
import sys
import time
import types
import warnings
from pathlib import Path
from typing import NamedTuple

import numba
import pytest
from numba.core import caching, dispatcher

import prunus
from prunus.hardware.jit import code_files as cache
from prunus.hardware.jit import function as compiled_function
from prunus.hardware.jit import machine_code
from prunus.hardware.jit.code_files import digest
from prunus.hardware.jit.compiled import inner, njit, outer

PACKAGE = Path(prunus.__file__).parent
needs_owners = pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs owners of files")


@pytest.fixture(params=["LLVM", "Numba"])
def module(tmp_path, monkeypatch, request):
    """Load a file of functions, and again, as another process would; by LLVM or by Numba."""
    if request.param == "Numba":
        monkeypatch.setattr(machine_code, "is_possible", lambda: False)
    elif not machine_code.is_possible():
        pytest.skip("machine code is loaded by Numba here")
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    for function in (cache._is_usable, cache._clear_up, cache._say_that_some_is_damaged):
        function.cache_clear()
    path = tmp_path / "some.py"
    path.write_text(
        "from prunus.hardware.jit.compiled import inner, outer\n"
        "@inner\ndef step(x):\n    return x + 1\n"
        "@outer\ndef double(x):\n    return 2 * step(x)\n"
    )

    def load():
        cache._digest_of.cache_clear()
        loaded = types.ModuleType("some")
        exec(compile(path.read_text(), str(path), "exec"), vars(loaded))
        return loaded

    load.path = path  # type: ignore[attr-defined]
    return load


def kept(module):
    """Return the files with code."""
    return sorted((module.path.parent / "__pycache__").glob("*.nbc"))


def hits(function):
    """Return how often code was found on disk."""
    return function.found


def test_code_is_kept_and_found(module):
    """One file for a function and its types."""
    assert module().double(20) == 42
    again = module()
    assert (again.double(20), hits(again.double)) == (42, 1)
    assert again.double(0.5) == 3
    assert (len(kept(module)), hits(again.double)) == (2, 1)


def test_what_is_ready_is_told_by_types(module):
    """Code on disk for integers is not code for floats; where only Numba can tell, it counts."""
    assert not module().double.is_ready_for(1)
    module().double(20)
    again = module()
    assert again.double.is_ready_for(1)
    assert again.double.is_ready_for(0.5) is not machine_code.is_possible()


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[:20],
        lambda content: content[:-1],
        lambda content: content[: len(content) // 2],
        lambda content: os.urandom(len(content)),
        lambda content: content[:400] + bytes([content[400] ^ 1]) + content[401:],
    ],
    ids=["empty", "head", "cut", "half", "garbage", "bit"],
)
def test_damaged_code_is_compiled_anew_and_that_is_said_once(module, damage):
    """Whatever became of the files, every later run is as the first; Numba raised EOFError."""
    loaded = module()
    assert (loaded.double(20), loaded.double(0.5)) == (42, 3)
    for path in kept(module):
        path.write_bytes(damage(path.read_bytes()))
    again = module()
    with pytest.warns(UserWarning, match="is damaged; it is compiled again") as said:
        answers = again.double(20), again.double(0.5)
    assert answers == (42, 3)
    assert len(said) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        third = module()
        assert (third.double(20), hits(third.double)) == (42, 1)


def test_code_is_outdated_when_a_function_or_what_it_calls_changes(module):
    """Both stand in a file outside the package; it takes the place of what was outdated."""
    assert module().double(20) == 42
    module.path.write_text(module.path.read_text().replace("x + 1", "x + 2"))
    again = module()
    assert (again.double(20), hits(again.double)) == (44, 0)
    assert len(kept(module)) == 1


def test_code_of_another_function_is_not_taken(module):
    """Two that differ in a constant alone have the same byte code; one in the other's place."""
    text = module.path.read_text()
    module.path.write_text(text + "@outer\ndef triple(x):\n    return 3 * step(x)\n")
    assert (module().double(20), module().triple(20)) == (42, 63)
    double, triple = kept(module)
    triple.write_bytes(double.read_bytes())
    again = module()
    assert (again.double(20), again.triple(20)) == (42, 63)


def test_code_of_another_version_of_numba_is_outdated(module, monkeypatch):
    """Its own machine code may call what has moved."""
    assert module().double(20) == 42
    monkeypatch.setattr(cache, "versions", lambda: b"another")
    again = module()
    assert (again.double(20), hits(again.double)) == (42, 0)


def test_code_that_cannot_be_saved_is_used_all_the_same(module, monkeypatch):
    """The disk is full: the compiled function works, the user is told, nothing is left."""

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "replace", full)
    with pytest.warns(UserWarning, match="no space left on device"):
        assert module().double(20) == 42
    assert list((module.path.parent / "__pycache__").iterdir()) == []


def test_importing_brings_no_compiler():
    """Numba, rich and what draws are imported when they are wanted: a quick start."""
    late = "{'numba', 'llvmlite', 'rich', 'matplotlib', 'cupy', 'scipy', 'pandas'}"
    code = f"import sys, prunus; print(sorted({late} & set(sys.modules)))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert answer.stdout.strip() == b"[]"


def test_nothing_is_compiled_but_through_the_cache():
    """Numba's own ``njit`` would keep code that is outdated."""
    own = re.compile(r"^\s*(from numba[\w.]* import .*\bn?jit\b|import numba$)", re.M)
    found = [path.name for path in PACKAGE.rglob("*.py") if own.search(path.read_text("utf-8"))]
    assert sorted(found) == ["compiled.py", "function.py", "linked.py", "supported.py"]


SOLVES = """
import sys
import numpy as np
import prunus

for problem in (
    prunus.NQueens(7),
    prunus.FlowShop([[3, 2], [1, 4]]),
    prunus.Knapsack([3, 4, 5], [2, 3, 4], 5),
    prunus.SubsetSum([3, 5, 9], 12),
    prunus.ATSP([[0, 1, 9], [9, 0, 1], [1, 9, 0]]),
    prunus.Assignment([[4, 1], [2, 0]]),
):
    print(prunus.solve(problem, devices="cpu:1").objective, end=" ")
print(*{"numba", "scipy"} & set(sys.modules))
"""


@pytest.mark.skipif(not machine_code.is_possible(), reason="machine code is loaded by Numba here")
def test_what_is_on_disk_is_run_without_importing_numba():
    """The second process finds everything, for every problem, and answers as the first."""
    words = [sys.executable, "-c", SOLVES]
    done = [subprocess.run(words, capture_output=True, text=True, check=True) for _ in range(2)]
    answers = [process.stdout.split() for process in done]
    assert answers[1] == ["40", "7", "7", "12", "3", "3"]
    assert answers[0][:6] == answers[1]


def test_nothing_of_numba_is_changed_for_others():
    """Its classes are as they were, and so is the cache of functions that are not the package's."""
    for kind in (caching.Cache, caching.IndexDataCacheFile, caching._SourceFileBackedLocatorMixin):
        for value in vars(kind).values():
            assert not getattr(value, "__module__", "numba").startswith("prunus"), value
            assert (
                not hasattr(value, "__wrapped__")
                or hasattr(value, "__isabstractmethod__")
                or (value.__wrapped__.__module__.startswith("numba"))
            )
    assert dispatcher.FunctionCache is caching.FunctionCache  # type: ignore[attr-defined]

    @numba.njit(cache=True)
    def double(x):
        return 2 * x

    assert type(double._cache) is caching.FunctionCache
    assert isinstance(double._cache._impl.locator.get_source_stamp(), bytes | tuple)


def test_no_folder_to_keep_code_in(monkeypatch):
    """Where nothing can be written code is compiled all the same; it is said once."""
    monkeypatch.setattr(cache, "_is_usable", lambda folder: False)
    compiled_function._say_that_nothing_is_kept.cache_clear()
    with pytest.warns(UserWarning, match="set NUMBA_CACHE_DIR") as said:
        answers = [njit(nogil=True, cache=True)(lambda x: 2 * x)(21) for _ in range(2)]
    assert len(said) == 1
    assert answers == [42, 42]


def test_without_a_home_folder_nothing_is_kept_in_the_current_one(monkeypatch, tmp_path):
    """Numba made ./~/.cache there, and loads pickles from it."""
    monkeypatch.chdir(tmp_path)
    cache._is_usable.cache_clear()
    monkeypatch.setattr(cache, "_user_folder", lambda: Path("~/.cache/prunus"))
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    (tmp_path / "sealed").mkdir()
    (tmp_path / "sealed" / "__pycache__").touch()
    (tmp_path / "sealed" / "some.py").touch()
    with pytest.raises(FileNotFoundError):
        cache._folder_for(str(tmp_path / "sealed" / "some.py"))
    assert not (tmp_path / "~").exists()


@needs_owners
@pytest.mark.parametrize("mode", [0o777, 0o757, 0o1777])
def test_a_folder_that_others_may_write_is_refused(module, tmp_path, monkeypatch, mode):
    """They could put pickles there; the next folder is taken, and the user is told."""
    folder = tmp_path / "__pycache__"
    folder.mkdir()
    folder.chmod(mode)
    user = tmp_path / "home" / "prunus"
    monkeypatch.setattr(cache, "_user_folder", lambda: user)
    with pytest.warns(UserWarning, match="because other users can write to it"):
        assert module().double(20) == 42
    assert list(folder.iterdir()) == []
    assert len(list(user.rglob("*.nbc"))) == 1


@needs_owners
def test_a_file_that_others_may_write_is_not_read(module):
    """Nor is one that is a link: it is written anew."""
    assert module().double(20) == 42
    (path,) = kept(module)
    path.chmod(0o666)
    again = module()
    assert (again.double(20), hits(again.double)) == (42, 0)
    (path,) = kept(module)
    assert path.stat().st_mode & 0o022 == 0
    path.rename(path.with_suffix(".there"))
    path.symlink_to(path.with_suffix(".there"))
    again = module()
    assert (again.double(20), hits(again.double)) == (42, 0)
    assert not path.is_symlink()


def test_what_a_kill_has_left_is_cleared_up(module):
    """Not what another process may be writing."""
    folder = module.path.parent / "__pycache__"
    folder.mkdir()
    old, new = folder / "a.nbc.1-2.tmp", folder / "b.nbc.3-4.tmp"
    for path in (old, new):
        path.touch()
    os.utime(old, (time.time() - 2 * cache.ABANDONED_S,) * 2)
    assert module().double(20) == 42
    assert (old.exists(), new.exists()) == (False, True)


def test_code_is_renewed_when_what_it_contains_changes(tmp_path):
    """Compiled functions, what they call and their constants count; nothing else does."""
    (tmp_path / "part").mkdir()
    files = {
        "kernel.py": "from prunus.part.limits import LIMIT\nfrom numba import njit\n",
        "part/step.py": "from prunus.hardware.jit.compiled import inlined\n",
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


def signed(content):
    """Return the content of a file with the digest that belongs to it."""
    return hashlib.sha256(content[32:]).digest() + content[32:]


class Moved(NamedTuple):
    """An argument of compiled code."""

    value: int


def test_code_for_classes_that_are_gone_is_compiled_anew(module):
    """A file that names a class of an earlier version is as good as none, and nothing is said."""
    text = "from prunus.hardware.jit.compiled import outer\n@outer\ndef value(x):\n"
    module.path.write_text(text + "    return x.value\n")
    assert module().value(Moved(5)) == 5
    again = module()
    assert (again.value(Moved(5)), hits(again.value)) == (5, 1)
    (path,) = kept(module)
    before = path.read_bytes()
    assert b"Moved" in before
    path.write_bytes(signed(before.replace(b"Moved", b"Found")))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        third = module()
        assert (third.value(Moved(7)), hits(third.value)) == (7, 0)
    assert b"Found" not in path.read_bytes()


def test_what_compiled_code_calls_can_be_called_from_python():
    """It has no entry for Python, and Numba would crash; one is made when it is wanted."""

    @inner
    def increased(x):
        return x + 1

    @outer
    def doubled(x):
        return 2 * increased(x)

    assert increased(2.5) == 3.5
    assert doubled(1) == 4
    assert increased(1) == 2
