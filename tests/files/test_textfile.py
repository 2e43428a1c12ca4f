"""Reading text: encodings, and files that cannot be read, each with its sentence."""

from __future__ import annotations

import gzip
import lzma
import os

import pytest

from prunus.errors import InputError
from prunus.files import textfile
from prunus.files.textfile import TextFile


def test_lines_keep_their_numbers(tmp_path):
    """Blank lines are skipped, numbers stay those of the file, with any line ends."""
    path = tmp_path / "a.b.txt"
    path.write_bytes(b"\xef\xbb\xbfone\r\n\r\n two  words \rlast")
    file = TextFile.load(str(path))
    assert [(line.number, line.text) for line in file.lines] == [
        (1, "one"),
        (3, " two  words "),
        (4, "last"),
    ]
    assert file.lines[1].tokens == ["two", "words"]
    assert file.stem == "a.b"


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (b"", "is empty"),
        (b" \n\t\r\n", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b"1 2\n\x003 4", "not a text file"),
        (gzip.compress(b"1 2", mtime=0), "is compressed; unpack it first"),
        (lzma.compress(b"1 2"), "is compressed; unpack it first"),
        ("1 2".encode("utf-16"), "not a text file; if it is UTF-16"),
        (b"1 2\nPi\xe8ce 3", "line 2: byte 0xe8 is not UTF-8"),
    ],
)
def test_what_is_no_text_is_refused(tmp_path, data, complaint):
    """Empty files and files that are not UTF-8 text are named."""
    path = tmp_path / "x"
    path.write_bytes(data)
    with pytest.raises(InputError, match=f"{path}.*{complaint}"):
        TextFile.load(str(path))


def test_missing_directory_and_impossible_paths(tmp_path):
    """A path that leads to no file is refused in words."""
    with pytest.raises(InputError, match=r"there is no file .*nowhere"):
        TextFile.load(str(tmp_path / "nowhere"))
    with pytest.raises(InputError, match="is a directory"):
        TextFile.load(str(tmp_path))
    for path in ("a\0b", "x" * 5000):
        with pytest.raises(InputError, match="cannot be read"):
            TextFile.load(path)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_unreadable(tmp_path):
    """A file without permission to read is named with the reason."""
    path = tmp_path / "x"
    path.write_text("1 1\n1")
    path.chmod(0)
    with pytest.raises(InputError, match="permission denied"):
        TextFile.load(str(path))


def test_too_large(tmp_path, monkeypatch):
    """A file larger than any instance is not read into memory."""
    monkeypatch.setattr(textfile, "MAX_BYTES", 10)
    path = tmp_path / "x"
    path.write_text("1" * 11)
    with pytest.raises(InputError, match="larger than"):
        TextFile.load(str(path))
