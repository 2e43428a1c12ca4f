"""The kernels of linear assignment compile for every architecture, without a GPU."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.assignment.gpu.instance import LIST
from prunus.assignment.gpu.instance_kernels import LONG
from prunus.assignment.gpu.value_source import ValueSource, constants
from tests.hardware.cuda.compilers import ARCHITECTURES, CARDS, check_compiles


def specialised(kind, price, *, sign=1, pack=1, listed=LIST, dimensions=0, metric=-1, cards=1):
    """The constants for a type of values and of prices."""
    points = np.zeros((1, dimensions)) if dimensions else None
    types = np.dtype(kind), np.dtype(price)
    source = ValueSource(1, 1, None, 1, points, points, metric, *types, sign, ((0, 0),) * cards)
    return constants(source, pack, 256, True, True, listed)


COMMON = {
    "float32": specialised("f4", "f8", pack=4),
}
RARE = {
    "float32, long lists": specialised("f4", "f8", pack=4, listed=LONG),
    "float32, not aligned": specialised("f4", "f8", sign=-1),
    "float32, rows on four cards": specialised("f4", "f8", pack=4, cards=4),
    "float64": specialised("f8", "f8", pack=2),
    "int32": specialised("i4", "f8", sign=-1, pack=4),
    "int64": specialised("i8", "i8", sign=-1, pack=2),
    "points": specialised("f8", "f8", dimensions=2, metric=0),
    "points in seven dimensions": specialised("f8", "f8", dimensions=7, metric=3, listed=LONG),
}


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("name", COMMON)
def test_usual_types_compile(name, architecture):
    """Matrices of float32 make machine code, with prices in float64."""
    check_compiles("assignment/gpu/kernels/assignment.cu", COMMON[name], architecture)


@pytest.mark.slow
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("name", RARE)
def test_all_types_compile(name, architecture):
    """So do all other types, and points."""
    check_compiles("assignment/gpu/kernels/assignment.cu", RARE[name], architecture)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_stacks_compile(architecture):
    """So do the kernels for stacks: a warp for each problem."""
    check_stacks_compile(architecture, "half_t", "double", CARDS[architecture].warp, 4)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_stacks_of_very_small_problems_compile(architecture):
    """And a lane for each."""
    stack = {"VALUE": "bfloat_t", "PRICE": "double", "INDEX": "i64", "SIGN": 1, "LIMITED": 1}
    check_compiles("assignment/gpu/kernels/stack_lanes.cu", stack, architecture)


@pytest.mark.slow
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_stacks_of_blocks_compile(architecture):
    """And a block for each."""
    check_stacks_compile(architecture, "u64", "i64", 512, 1)


def check_stacks_compile(architecture, value, price, threads, each):
    """Compile a kernel for stacks."""
    stack = {"VALUE": value, "PRICE": price, "INDEX": "i64", "SIGN": -1, "LIMITED": 1}
    stack |= {
        "MOST": threads * each,
        "BLOCKS": 1,
        "EACH": each,
        "SLOTS": 2,
        "GROUP": 16,
    }
    check_compiles("assignment/gpu/kernels/stack.cu", stack, architecture)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_surveys_compile(architecture):
    """So do the kernels that look an array over."""
    check_compiles("hardware/cuda/survey.cu", {"VALUE": "i64", "THREADS": 256}, architecture)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_conversions_compile(architecture):
    """And those that copy an array into another type."""
    types = {"VALUE": "bfloat_t", "WIDE": "float", "PRICE": "double", "BOUND": -1}
    check_compiles("hardware/cuda/convert.cu", {**types, "THREADS": 256}, architecture)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_entries_within_a_limit_compile(architecture):
    """And those that list the entries within a limit."""
    types = {"VALUE": "float", "PRICE": "double", "AT_LEAST": 0}
    check_compiles("hardware/cuda/within_limit.cu", {**types, "THREADS": 256}, architecture)
