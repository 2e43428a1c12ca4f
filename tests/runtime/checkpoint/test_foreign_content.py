"""Files with a right checksum and wrong content end in a sentence; no size in them is believed."""

from __future__ import annotations

import copy
import hashlib
import io
import json
import os
import random
import warnings
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import prunus
from prunus.cli.entry import run
from prunus.model.arrays import AnyArray
from prunus.runtime.checkpoint import container
from prunus.runtime.checkpoint.container import pack, unpack
from prunus.stop import MaxNodes

WRONG: list[Any] = [None, -1, 0, 7, 1.5, "x", "cuda:0", [], [1], {}, True, 10**30, -(2**63), 1e308]


@cache
def kept(kind: str) -> tuple[dict[str, Any], dict[str, AnyArray]]:
    """Return the content of a checkpoint of a search that was stopped."""
    path = Path(os.environ["PYTEST_TMP"]) / kind
    problem: Any
    options: dict[str, Any] = {}
    if kind == "queens":
        problem = prunus.NQueens(14)
    elif kind == "flowshop":
        problem = prunus.read("ta051")
        options = {"first_incumbent": "neh"}
    elif kind == "atsp":
        problem = prunus.read("tsmat:60:1")
    else:
        rng = random.Random(1)
        problem = prunus.SubsetSum([rng.randint(2**40, 2**41) for _ in range(60)], 2**45)
        options = {"method": "two-list"}
    limit: dict[str, Any] = {"time_limit": 0.2} if kind == "subsetsum" else {"stop": MaxNodes(50)}
    prunus.solve(problem, devices="cpu:1", checkpoint=path, **limit, **options)
    return unpack(str(path))


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of everything in a JSON value."""
    if at:
        yield at
    items = value.items() if isinstance(value, dict) else enumerate(value[:3])
    for key, item in items:
        if isinstance(item, dict | list):
            yield from places(item, (*at, key))
        else:
            yield (*at, key)


def changed(meta: dict[str, Any], place: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """Return a copy with another value, or without one if it is Ellipsis."""
    meta = copy.deepcopy(meta)
    inner: Any = meta
    for key in place[:-1]:
        inner = inner[key]
    if value is ...:
        del inner[place[-1]]
    else:
        inner[place[-1]] = value
    return meta


def other_arrays(array: AnyArray, rng: random.Random) -> AnyArray | None:
    """Return another array in its place, or None for none."""
    kinds = [
        lambda: None,
        lambda: array.astype(float),
        lambda: array.ravel()[:-1],
        lambda: array[None],
        lambda: np.zeros(0, array.dtype),
        lambda: np.zeros((2, 3), np.int64),
        lambda: np.full_like(array, rng.choice([0, 1, 127, 255, 2**31, 2**62]) % 2**62),
        lambda: np.flip(array),
        lambda: np.random.default_rng(rng.randint(0, 99)).permutation(array.ravel()),
        lambda: -array.astype(np.int64),
    ]
    try:
        return rng.choice(kinds)()
    except (IndexError, OverflowError):
        return None


@pytest.mark.parametrize("kind", ["queens", "flowshop", "atsp", "subsetsum"])
def test_wrong_content_is_a_sentence(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever field or array is missing or another: an answer that is right, or an InputError."""
    monkeypatch.setenv("PYTEST_TMP", str(tmp_path))
    meta, arrays = kept(kind)
    rng = random.Random(kind)
    everywhere = list(places(meta))
    rounds = int(os.environ.get("PRUNUS_FUZZ", "60"))
    refused = 0
    for turn in range(rounds):
        path = str(tmp_path / f"{turn}.ckpt")
        words, held = meta, dict(arrays)
        if rng.random() < 0.3 and held:
            name = rng.choice(sorted(held))
            other = other_arrays(held[name], rng)
            if other is None:
                del held[name]
            else:
                held[name] = other
        else:
            words = changed(words, rng.choice(everywhere), rng.choice([..., *WRONG]))
        pack(path, words, held)
        before = Path(path).read_bytes()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                result = prunus.resume(path, devices="cpu:1", time_limit=0.02)
        except prunus.PrunusError as error:
            told = str(error)
        else:
            assert result.solution is None or result.objective is not None
            continue
        refused += 1
        assert len(told) < 600
        assert "\n" not in told
        assert Path(path).read_bytes() == before
    assert refused > rounds // 4


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
        with pytest.raises(prunus.InputError, match="not a whole checkpoint"):
            prunus.resume(path)
    for members in ({}, {"meta.npy": b"\x93NUMPY"}, {"meta.npy": npy(few)}, {"meta.npy": b""}):
        archive(path, members)
        with pytest.raises(prunus.InputError, match="not a whole checkpoint"):
            prunus.resume(path)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="needs /dev/zero")
def test_the_title_is_looked_at_first(tmp_path: Path) -> None:
    """What never ends is not read to its end."""
    link = tmp_path / "link"
    link.symlink_to("/dev/zero")
    for path in ("/dev/zero", link):
        with pytest.raises(prunus.InputError, match="not a checkpoint of prunus"):
            prunus.resume(path)


def test_what_is_printed_of_a_file_is_escaped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """No word of a checkpoint is an order to the terminal."""
    monkeypatch.setenv("PYTEST_TMP", str(tmp_path))
    meta, arrays = kept("flowshop")
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
