"""Files with a right checksum and wrong content end in a sentence; no size in them is believed."""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import prunus
from prunus.cli.entry import run
from prunus.model.arrays import AnyArray
from prunus.runtime.checkpoint import container
from prunus.runtime.checkpoint.container import pack
from tests.fuzz.test_checkpoints import kept


def archive(path: Path, members: dict[str, bytes]) -> None:
    """Write a checkpoint of any members, with a right checksum."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as folder:
        for name, data in members.items():
            folder.writestr(name, data)
    raw = content.getvalue()
    digest = hashlib.sha256(raw).hexdigest().encode()
    path.write_bytes(b"prunus checkpoint %d\n%s\n%s" % (container.VERSION, digest, raw))


def npy(array: AnyArray, **header: Any) -> bytes:
    """Return an ``.npy`` file whose header says something else."""
    stream = io.BytesIO()
    told = np.lib.format.header_data_from_array_1_0(array) | header
    np.lib.format.write_array_header_1_0(stream, told)
    return stream.getvalue() + array.tobytes()


META = npy(np.frombuffer(json.dumps({"problem": {}}).encode(), np.uint8))


def test_a_file_that_would_fill_the_memory_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ZIP of some kilobytes with hundreds of megabytes of zeros, and arrays that claim more."""
    monkeypatch.setattr(container, "_SMALL_BYTES", 2**20)
    path = tmp_path / "bomb.ckpt"
    archive(path, {"meta.npy": META, "open/digits.npy": npy(np.zeros(2**26, np.uint8))})
    assert path.stat().st_size < 2**18
    with pytest.raises(prunus.InputError, match="its content would take 6"):
        prunus.resume(path)
    few = np.zeros(4, np.uint8)
    for header in ({"shape": (2**40,)}, {"shape": (-4,)}, {"descr": "|O"}, {"shape": (2, 2, 1, 1)}):
        archive(path, {"meta.npy": META, "open/digits.npy": npy(few, **header)})
        with pytest.raises(prunus.InputError, match="not a complete checkpoint"):
            prunus.resume(path)
    for members in ({}, {"meta.npy": b"\x93NUMPY"}, {"meta.npy": npy(few)}, {"meta.npy": b""}):
        archive(path, members)
        with pytest.raises(prunus.InputError, match="not a complete checkpoint"):
            prunus.resume(path)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs /dev/zero")
def test_a_device_is_not_read(tmp_path: Path) -> None:
    """What never ends is not read to its end, and said to be what it is."""
    link = tmp_path / "link"
    link.symlink_to("/dev/zero")
    for path in ("/dev/zero", link):
        with pytest.raises(prunus.InputError, match="is a device or a pipe; copy the checkpoint"):
            prunus.resume(path)


def test_what_is_printed_of_a_file_is_escaped(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """No word of a checkpoint is an order to the terminal."""
    *_, meta, arrays = kept("flowshop")
    path = str(tmp_path / "run.ckpt")
    order = "\x1b[2J\x07"
    pack(path, meta | {"method": order, "options": {order: order}}, arrays)
    assert run(["info", path]) == 0
    told = capfd.readouterr()
    assert "\\x1b[2J" in told.out
    for text in told:
        assert not set(text) & {"\x1b", "\x07"}
    assert run(["resume", path]) == 2
    assert "\x1b" not in capfd.readouterr().err


@pytest.mark.parametrize("kind", ["queens", "flowshop", "atsp", "custom", "subsetsum"])
@pytest.mark.parametrize(("field", "value"), [("upper_bound", 10**30), ("seed", -(2**70))])
def test_numbers_that_solve_would_refuse_are_refused(
    kind: str, field: str, value: int, tmp_path: Path
) -> None:
    """An upper bound of a hundred bits ended in an OverflowError of the compiled search."""
    problem, _, meta, arrays = kept(kind)
    path = str(tmp_path / "run.ckpt")
    pack(path, meta | {field: value}, arrays)
    with pytest.raises(prunus.InputError, match=f"its field '{field}' is invalid"):
        prunus.resume(path, problem=problem if kind == "custom" else None)
