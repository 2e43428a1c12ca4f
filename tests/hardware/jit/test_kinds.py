"""Arguments of the same kinds have the same types for Numba, whatever they are."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from typing import NamedTuple

import numba
import numpy as np

from prunus.hardware.jit.kinds import in_words, kinds_of
from prunus.hardware.jit.record import mutable_record


class Pair(NamedTuple):
    first: object
    second: object


class Other(NamedTuple):
    first: object
    second: object


class Counts:
    nodes: int
    value: float


class Numbers:
    nodes: int
    value: int


def arrays():
    """Return arrays of all sorts: types, dimensions, orders, read-only, not aligned."""
    for kind, shape in product("bBhHiIqQlfd?", [(), (4,), (3, 4), (1, 4), (3, 1), (0, 3)]):
        one = np.zeros(shape, kind)
        fixed = one.copy()
        fixed.flags.writeable = False
        yield from (one, fixed, np.asfortranarray(one), one.T, one[..., ::2] if shape else one)
    yield np.zeros(17, np.uint8)[1:].view(np.int64)
    yield np.zeros((4, 4, 4)).transpose(1, 0, 2)


SCALARS = (0, 1, -1, 2**40, 2**63 - 1, -(2**63), True, 0.5, None, np.int64(3), np.float64(3))
SCALARS += (np.bool_(True), np.int32(3), np.uint64(3), np.uint8(3), np.float32(3))
SCALARS += (mutable_record(Counts), mutable_record(Numbers))


def values():
    plain = [*arrays(), *SCALARS]
    yield from plain
    parts = [*SCALARS[:12], np.zeros(3), np.zeros((3, 3)).T, np.zeros((3, 3))[:, ::2]]
    for kind, first, second in product((Pair, Other), parts, parts):
        yield kind(first, second)
        yield first, second
        yield kind((first, first), kind(first, second))


def test_the_same_kinds_are_the_same_types():
    """Code that was compiled for one tuple of arguments is only called with others of its types."""
    types, names = defaultdict(set), defaultdict(set)
    for value in values():
        kinds = kinds_of((value,))
        assert kinds is not None
        types[kinds].add(numba.typeof(value))
        names[in_words(kinds)].add(kinds)
    assert all(len(found) == 1 for found in types.values())
    assert all(len(found) == 1 for found in names.values())
    assert len(types) > 300


def test_what_has_no_kind_is_left_to_numba():
    """Numba decides what such arguments are, or says that they are nothing."""
    for value in ("text", [1], {1: 2}, 2**63, np.zeros(1).view(np.recarray), object(), len):
        assert kinds_of((1, (2, value))) is None
