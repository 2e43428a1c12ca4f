"""Arrays of all types on a device as arrays of the four types that all kernels take."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.hardware.cuda.borrowed import _KINDS
from prunus.hardware.cuda.conversion import converted, held_by
from tests.assignment.gpu.test_device_pairs import Emulated
from tests.hardware.cuda.emulated import COMPILER

pytestmark = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")


@pytest.mark.parametrize("name", [name for name in _KINDS if name != "bfloat16"])
def test_every_value_of_a_type_stays_what_it_is(name):
    """The least and the largest included, subnormal floats and infinities, at any strides."""
    rng = np.random.default_rng(1)
    bits = rng.integers(0, 256, (3, 40, 8 * np.dtype(name).itemsize), np.uint8)
    values = (bits & 1).astype(bool) if name == "bool" else bits.view(name)
    if np.dtype(name).kind == "f":
        values[np.isnan(values)] = 0
        values[0, 0, :3] = np.inf, -np.inf, np.finfo(name).smallest_subnormal
    kind = held_by(_KINDS[name])
    with np.errstate(over="ignore"):
        wanted = np.minimum(values, 2**63 - 1).astype(kind) if name == "uint64" else values
    for view, same in (
        (values, wanted),
        (values[1].T, wanted[1].T),
        (values[0, ::-2], wanted[0, ::-2]),
    ):
        found = converted(Emulated(view), kind)
        assert found.dtype == kind
        assert (found == same).all()


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.int16, np.int64])
def test_no_value_is_beyond_a_limit(kind):
    """Above it, or below it."""
    values = np.random.default_rng(2).integers(-50, 50, (9, 300)).astype(kind)
    wide = np.int64 if np.dtype(kind).kind == "i" else np.float64
    for limit in (-60, -7, 0, 30, 2**40):
        found = converted(Emulated(values), wide, limit)
        assert (found == np.minimum(values.astype(wide), limit)).all()
        found = converted(Emulated(values), wide, limit, at_least=True)
        assert (found == np.maximum(values.astype(wide), limit)).all()
