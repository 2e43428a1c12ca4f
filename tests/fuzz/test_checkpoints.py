"""Damaged checkpoints are refused; of foreign content nothing becomes an answer that is none."""

from __future__ import annotations

import copy
import random
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import prunus
from prunus.model.arrays import AnyArray
from prunus.runtime.checkpoint.container import pack, unpack
from prunus.stop import MaxNodes
from tests.custom.problems import Ordering
from tests.fuzz.fuzzing import damaged, outcome

WRONG: list[Any] = [
    *(None, -1, 0, 7, 1.5, "x", "cuda:0", [], [1], {}, True, 10**30, -(2**63), 1e308),
    *(float("nan"), float("inf"), "\x1b[2J", "x" * 10_000, [[]] * 100, {"kind": "flowshop"}),
]
KINDS = ["queens", "flowshop", "atsp", "atsp, arborescences", "custom", "subsetsum"]


@cache
def kept(kind: str) -> tuple[Any, bytes, dict[str, Any], dict[str, AnyArray]]:
    """Return a problem, the checkpoint of a search for it that was stopped, and what that holds."""
    problem: Any
    options: dict[str, Any] = {}
    match kind:
        case "queens":
            problem = prunus.NQueens(14)
        case "flowshop":
            problem, options = prunus.read("ta051"), {"first_incumbent": "neh"}
        case "atsp" | "atsp, arborescences":
            cities, bound = (28, "assignment") if kind == "atsp" else (60, "arborescence")
            points = np.random.default_rng(2).integers(0, 1000, (cities, 2))
            problem = prunus.ATSP.from_points(points)
            options = {"first_incumbent": "none", "bound": bound}
        case "custom":
            problem = Ordering(np.arange(196).reshape(14, 14) * 37 % 101)
        case _:
            rng = random.Random(1)
            problem = prunus.SubsetSum([rng.randint(2**40, 2**41) for _ in range(60)], 2**45)
            options = {"method": "two-list"}
    nodes = 1 if kind == "atsp, arborescences" else 50
    limit: dict[str, Any] = (
        {"time_limit": 0.2} if kind == "subsetsum" else {"stop": MaxNodes(nodes)}
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x")
        prunus.solve(problem, devices="cpu:1", checkpoint=path, **limit, **options)
        return problem, path.read_bytes(), *unpack(str(path))


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


@st.composite
def other_array(draw: st.DrawFn, array: AnyArray) -> AnyArray:
    """Return another array in its place."""
    number = draw(st.sampled_from([0, 1, 127, 255, 2**31, 2**62])) % 2**62
    match draw(st.integers(0, 9)):
        case 0:
            return array.astype(float)
        case 1:
            return array.ravel()[:-1]
        case 2:
            return array[None]
        case 3:
            return np.zeros(0, array.dtype)
        case 4:
            return np.zeros((2, 3), np.int64)
        case 5:
            assume(array.dtype.kind == "f" or number <= np.iinfo(array.dtype).max)
            return np.full_like(array, number)
        case 6:
            return np.flip(array)
        case 7:
            return np.random.default_rng(number).permutation(array.ravel())
        case 8:
            return -array.astype(np.int64)
    assume(array.size)
    other = array.copy()
    # The bits of real numbers, too: NaN and infinities among them.
    bits = other.view(np.int64) if array.dtype.kind == "f" else other
    place, mask = draw(st.integers(0, array.size - 1)), draw(st.integers(1, 127))
    bits.flat[place] ^= mask << 56 if array.dtype.kind == "f" else mask
    return other


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=30)
@given(st.data())
def test_wrong_content_is_a_sentence(kind: str, folder: Path, data: st.DataObject) -> None:
    """Whatever field or array is missing or another: an answer that is right, or an InputError.

    A file with a right checksum that says that all is explored is believed; but no solution is that
    plain code does not agree with, and what is refused is left as it is.
    """
    problem, _, words, held = kept(kind)
    arrays = dict(held)
    if data.draw(st.integers(0, 2)) == 0 and held:
        name = data.draw(st.sampled_from(sorted(held)))
        del arrays[name]
        if data.draw(st.booleans()):
            arrays[name] = data.draw(other_array(held[name]))
    else:
        place = data.draw(st.sampled_from(list(places(words))))
        words = changed(words, place, data.draw(st.sampled_from([..., *WRONG])))
    path = folder / f"{kind}.ckpt"
    pack(str(path), words, arrays)
    before = path.read_bytes()
    own = problem if kind == "custom" else None
    result = outcome(
        "checkpoints of wrong content",
        lambda: prunus.resume(path, problem=own, devices="cpu:1", time_limit=0.02),
    )
    if result is None:
        assert path.read_bytes() == before
    elif result.solution is not None:
        assert result.objective == result.problem.evaluate(result.solution)


@settings(max_examples=100)
@given(st.sampled_from(KINDS), st.data())
def test_a_damaged_checkpoint_is_refused(folder: Path, kind: str, data: st.DataObject) -> None:
    """Its checksum tells; what is not told is not damage."""
    _, content, words, held = kept(kind)
    path = folder / "damaged.ckpt"
    path.write_bytes(data.draw(damaged(content, [kept(other)[1] for other in KINDS])))
    found = outcome("damaged checkpoints", lambda: unpack(str(path)), str(path))
    if found is not None:
        known = [kept(other)[2] for other in KINDS]
        assert found[0] in known
        if found[0] == words:
            assert all(np.array_equal(found[1][name], array) for name, array in held.items())
