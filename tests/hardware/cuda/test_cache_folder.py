"""Compiled kernels have a folder wherever anything can be written."""

from __future__ import annotations

import os
import tempfile
import warnings
from pathlib import Path

import pytest

from prunus.errors import DeviceError
from prunus.hardware.cuda import cache_folder


@pytest.fixture
def exits(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """What is to be done when the process ends."""
    found: list[tuple[object, ...]] = []
    monkeypatch.setattr(cache_folder.atexit, "register", lambda *args, **_: found.append(args))
    return found


def test_the_folder_of_the_user(monkeypatch, tmp_path, exits):
    """It is made, and nothing is said."""
    monkeypatch.setenv("CUPY_CACHE_DIR", str(tmp_path / "a" / "b"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cache_folder.find_cache_folder()
    assert (tmp_path / "a" / "b").is_dir()
    assert exits == []


def test_one_for_the_process(monkeypatch, tmp_path, exits):
    """Where that cannot be made, as below a file; it goes with the process."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("CUPY_CACHE_DIR", str(tmp_path / "file" / "kernels"))
    with pytest.warns(UserWarning, match=r"file/kernels: every run compiles again; set CUPY_CACHE"):
        cache_folder.find_cache_folder()
    other = os.environ["CUPY_CACHE_DIR"]
    assert Path(other).is_dir()
    (remove, folder), *_ = exits
    assert folder == other
    remove(folder)  # type: ignore[operator]
    assert not Path(other).exists()


def test_nowhere(monkeypatch, tmp_path):
    """Then no GPU can be used."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("CUPY_CACHE_DIR", str(tmp_path / "file" / "kernels"))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "file"))
    with pytest.raises(DeviceError, match="set CUPY_CACHE_DIR"):
        cache_folder.find_cache_folder()


def test_not_below_the_current_folder(monkeypatch, tmp_path, exits):
    """Where there is no home folder ``~`` stands for nothing."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CUPY_CACHE_DIR", "~/.cupy")
    with pytest.warns(UserWarning, match="every run compiles again"):
        cache_folder.find_cache_folder()
    assert list(tmp_path.iterdir()) == []
    exits[0][0](exits[0][1])


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs owners of folders")
def test_not_where_others_may_write(monkeypatch, tmp_path, exits):
    """They could put kernels there."""
    folder = tmp_path / "kernels"
    folder.mkdir()
    folder.chmod(0o777)
    monkeypatch.setenv("CUPY_CACHE_DIR", str(folder))
    with pytest.warns(UserWarning, match="every run compiles again"):
        cache_folder.find_cache_folder()
    assert os.environ["CUPY_CACHE_DIR"] != str(folder)
    exits[0][0](exits[0][1])
