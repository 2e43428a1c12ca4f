"""Every kernel and specialisation compiles for every architecture, without a GPU."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import prunus
from prunus.atsp.naive.program import atsp_program
from prunus.atsp.problem import ATSP
from prunus.flowshop.gpu.program import flowshop_program
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from tests.hardware.cuda.compilers import ARCHITECTURES, CARDS, check_compiles


def shop(jobs, machines, high=99, **options):
    """A program for an instance of a size."""
    times = np.random.default_rng(0).integers(1, high + 1, (jobs, machines))
    return flowshop_program(FlowShop(times), **options)


def tour(cities, high=99):
    """A program for an instance of a size."""
    return atsp_program(ATSP(np.full((cities, cities), high)))


COMMON = {
    "20x20": lambda: shop(20, 20),
    "20x5 lb2": lambda: shop(20, 5, bound=Bound.LB2),
    "50x10 mixed": lambda: shop(50, 10, bound=Bound.MIXED, branching=Branching.MINMIN),
    "20x10 32 bits": lambda: shop(20, 10, arithmetic=32),
    "15 cities": lambda: tour(15),
}
RARE = {
    **{f"20x20 {rule.name}": lambda rule=rule: shop(20, 20, branching=rule) for rule in Branching},
    "50x20": lambda: shop(50, 20),
    "1x1": lambda: shop(1, 1),
    "64x60": lambda: shop(64, 60),
    "20x20 32 bits lb2": lambda: shop(20, 20, arithmetic=32, bound=Bound.LB2),
    "20x20 64 bits mixed": lambda: shop(20, 20, 2**40, bound=Bound.MIXED),
    "500x60": lambda: shop(500, 60),
    "500x60 64 bits": lambda: shop(500, 60, arithmetic=64),
    "64 cities": lambda: tour(64),
    "64 cities 64 bits": lambda: tour(64, 2**40),
}


def check(program, architecture):
    """Compile as for a card of that kind."""
    constants = {**program.constants, **program.launch_shape(CARDS[architecture]).constants}
    check_compiles(program.file, constants, architecture)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("name", COMMON)
def test_common_specialisations_compile(name, architecture):
    """The usual sizes, bounds and arithmetics make machine code."""
    check(COMMON[name](), architecture)


@pytest.mark.slow
@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("name", RARE)
def test_all_specialisations_compile(name, architecture):
    """So do all rules and the smallest and the largest sizes."""
    check(RARE[name](), architecture)


def test_no_source_tells_the_newest_architectures_apart():
    """So what compiles for one of them compiles for the other: ``slow`` tests compile for both."""
    known = re.compile(r"__CUDA_ARCH__ *[<>=]+ *([0-9]+)")
    sources = [path.read_text("utf-8") for path in Path(prunus.__file__).parent.rglob("*.cu*")]
    found = {int(level) for text in sources for level in known.findall(text)}
    assert found
    assert max(found) <= 800
