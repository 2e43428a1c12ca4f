"""Writing all or nothing."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from prunus.errors import InputError
from prunus.files.atomic import write_bytes, write_text


def test_writes_and_replaces_keeping_permissions(tmp_path):
    """A new file appears; an old one is replaced and keeps its permissions; nothing is left."""
    path = tmp_path / "x"
    write_text(str(path), "é\n")
    assert path.read_bytes() == b"\xc3\xa9\n"
    path.chmod(0o640)
    write_text(str(path), "b")
    assert path.read_text() == "b"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["x"]


def test_a_failure_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    """If the disk fails halfway, the old content is still there and the temporary file is gone."""
    path = tmp_path / "x"
    path.write_text("old")

    def fail(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(InputError, match="x cannot be written: no space left"):
        write_text(str(path), "new")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["x"]


def test_a_link_is_followed(tmp_path):
    """Writing through a symbolic link changes the file it leads to, not the link."""
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_text(str(link), "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_device_is_written_to_and_not_replaced(tmp_path):
    """What is no regular file stays what it is."""
    write_text(os.devnull, "text")
    assert not os.path.isfile(os.devnull)


@pytest.mark.parametrize("name", ["", "no/such/folder/x", "a\0b"])
def test_impossible_targets_are_refused(tmp_path, name):
    """A directory, a missing folder and an impossible name are refused in words."""
    with pytest.raises(InputError, match="cannot be written"):
        write_text(os.path.join(tmp_path, name), "text")


def test_the_old_file_is_whole_until_the_new_one_is(tmp_path, monkeypatch):
    """Killed at the last step, the old content is under the name and the new one beside it."""
    path, replace, seen = tmp_path / "x", os.replace, []
    path.write_text("old")

    def look(temporary, target):
        seen.append((path.read_text(), Path(temporary).read_text()))
        replace(temporary, target)

    monkeypatch.setattr(os, "replace", look)
    write_text(str(path), "new")
    assert seen == [("old", "new")]
    assert path.read_text() == "new"


@pytest.mark.skipif(os.name != "posix", reason="needs modes of files")
def test_what_is_being_written_is_open_to_nobody_else(tmp_path, monkeypatch):
    """A private file's content does not stand in a public one, not even for a moment."""
    path, seen = tmp_path / "private", []
    path.touch(0o600)
    fsync = os.fsync
    monkeypatch.setattr(
        os, "fsync", lambda file: seen.append(os.fstat(file).st_mode) or fsync(file)
    )
    write_bytes(str(path), b"secret")
    assert [mode & 0o777 for mode in seen] == [0o600]
    assert path.read_bytes() == b"secret"


def test_what_a_kill_has_left_is_cleared_up(tmp_path):
    """What another process may be writing stays, and so does what is called otherwise."""
    names = ["x.0123abcd.tmp", "x.89abcdef.tmp", "x.tmp", "y.0123abcd.tmp"]
    for name in names:
        (tmp_path / name).touch()
    for name in (names[0], names[2], names[3]):
        os.utime(tmp_path / name, (1, 1))
    write_bytes(str(tmp_path / "x"), b"new")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["x", *names[1:]])
