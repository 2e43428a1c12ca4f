"""Damaged compiled code is compiled anew: what is called computes what it says."""

from __future__ import annotations

import os
import shutil
import types
import warnings
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus.hardware.jit import code_files as cache
from prunus.hardware.jit import function as compiled
from tests.fuzz.fuzzing import damaged, outcome

TEXT = """
from prunus.hardware.jit.compiled import inner, outer
@inner
def step(x):
    return x + 1
@outer
def double(x):
    return 2 * step(x)
@outer
def triple(x):
    return 3 * step(x)
"""


def load(source: Path) -> types.ModuleType:
    """Load the functions as another process would."""
    for function in (
        *(cache._is_usable, cache._clear_up, cache._say_that_some_is_damaged),
        *(cache._digest_of, compiled._say_that_nothing_is_kept),
    ):
        function.cache_clear()
    loaded = types.ModuleType("some")
    exec(compile(TEXT, str(source), "exec"), vars(loaded))
    return loaded


def answers(source: Path) -> tuple[int, int, float]:
    """Call the functions."""
    functions = load(source)
    return functions.double(20), functions.triple(20), functions.double(0.5)


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of functions whose compiled code is kept beside it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("NUMBA_CACHE_DIR", raising=False)
        source = tmp_path_factory.mktemp("sound") / "some.py"
        source.write_text(TEXT)
        assert answers(source) == (42, 63, 3.0)
        yield source


@settings(max_examples=8)
@given(st.data())
def test_whatever_is_in_the_folder_the_answers_are_right(sound: Path, data: st.DataObject) -> None:
    """Files that are damaged, another's, links, folders, open to all, or gone."""
    folder = sound.parent / "__pycache__"
    kept = sorted(folder.glob("*.nbc"))
    contents = [path.read_bytes() for path in kept]
    assert len(kept) == 3
    for path in kept:
        match data.draw(st.sampled_from(["sound", "damaged", "other", "link", "folder", "open"])):
            case "damaged":
                others = [content[:1024] for content in contents]
                path.write_bytes(data.draw(damaged(path.read_bytes(), others)))
            case "other":
                path.write_bytes(data.draw(st.sampled_from(contents)))
            case "link":
                path.unlink()
                path.symlink_to(data.draw(st.sampled_from(["/dev/zero", "nowhere", sound])))
            case "folder":
                path.unlink()
                path.mkdir()
            case "open":
                path.chmod(0o666)
    try:
        found = outcome("compiled code", partial(answers, sound))
        assert found == (42, 63, 3.0)
    finally:
        shutil.rmtree(folder)
        folder.mkdir()
        for path, content in zip(kept, contents, strict=True):
            path.write_bytes(content)


@settings(max_examples=5)
@given(st.data())
def test_what_a_folder_cannot_keep_is_compiled_all_the_same(
    sound: Path, data: st.DataObject
) -> None:
    """The folder is a file, a link to itself, cannot be written to, or may be written by all."""
    folder = sound.parent / "__pycache__"
    aside = sound.parent / "aside"
    folder.rename(aside)
    what = data.draw(st.sampled_from(["file", "loop", "sealed", "open"]))
    match what:
        case "file":
            folder.touch()
        case "loop":
            folder.symlink_to(folder)
        case _:
            folder.mkdir(mode=0o755)
            folder.chmod(0o500 if what == "sealed" else 0o777)
    try:
        with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
            patch.setattr(cache, "_user_folder", lambda: Path("no"))
            assert outcome("folders for compiled code", partial(answers, sound)) == (42, 63, 3.0)
    finally:
        if folder.is_symlink() or folder.is_file():
            folder.unlink()
        else:
            os.chmod(folder, 0o700)
            shutil.rmtree(folder)
        aside.rename(folder)
