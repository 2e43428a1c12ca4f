"""Names of generated instances: every kind is built, every mistake gets a helpful sentence."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.atsp.problem import ATSP
from prunus.errors import InputError
from prunus.flowshop.formats.taillard_set import instance
from prunus.flowshop.problem import FlowShop
from prunus.instance_names import build, generators, looks_like_a_name, published_name
from prunus.nqueens.problem import NQueens


@pytest.mark.parametrize("text", ["ta056", "Ta056", "TA56", "ta56", " ta056 ", "ta_056", "ta-56"])
def test_spellings_of_taillards_names(text):
    """The usual spellings all mean ta056."""
    assert published_name(text) == "ta056"
    problem = build(text)
    assert problem.name == "ta056"
    assert np.array_equal(problem.processing_times, instance("ta056").processing_times)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("queens:16", NQueens, "queens:16"),
        ("Queens:08", NQueens, "queens:8"),
        ("crane:15:1", ATSP, "crane:15:1"),
        ("tsmat:15:007", ATSP, "tsmat:15:7"),
        ("taillard:6:3:99", FlowShop, "taillard:6:3:99"),
    ],
)
def test_every_kind_is_built_and_named_canonically(text, kind, name):
    """A name builds a problem of its kind; the problem's own name builds the same again."""
    problem = build(text)
    assert isinstance(problem, kind)
    assert problem.name == name
    assert repr(build(problem.name)) == repr(problem)


def test_examples_work():
    """The example of every kind is a name that builds, and fits its form."""
    for kind, generator in generators().items():
        assert build(generator.example).name == generator.example
        assert generator.example.count(":") == generator.form.count(":")
        assert generator.form.startswith(kind)


def test_taillards_generator_by_name():
    """With Taillard's seed, size and generator the name gives his instance."""
    ours = build("taillard:20:5:873654221").processing_times  # type: ignore[attr-defined]
    assert np.array_equal(ours, instance("ta001").processing_times)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("ta121", "ta001 to ta120"),
        ("ta0", "ta001 to ta120"),
        ("ta999999999", "ta001 to ta120"),
        ("te056", "did you mean ta056"),
        ("quens:12", "did you mean queens:12"),
        ("crana", "did you mean crane:15:1"),
        ("foo", "queens:…, crane:…, .*prunus generate"),
        ("queens", "queens:N, for example queens:16"),
        ("queens:8:8", "queens:N, for example queens:16"),
        ("queens:", "N must be a whole number"),
        ("queens:-8", "N must be a whole number from 0 of at most 18 digits, got '-8'"),
        ("queens:8.5", "N must be a whole number"),
        ("queens:33", "queens:33: n of NQueens must be from 1 to 32"),
        ("queens:" + "9" * 5000, "N must be a whole number"),
        ("crane:15", "crane:CITIES:SEED"),
        ("crane:5000:1", "1 to 2000 cities"),
        ("tsmat:0:1", "1 to 2000 cities"),
        ("taillard:20:5:0", "from 1 to 2"),
        ("taillard:1000000:1000000:5", "at most 1,000,000"),
    ],
)
def test_every_mistake_gets_a_helpful_sentence(text, complaint):
    """Unknown names and bad parameters are refused, saying what there is."""
    with pytest.raises(InputError, match=complaint):
        build(text)


def test_looks_like_a_name():
    """What was meant as a name is not taken for a missing file."""
    assert all(map(looks_like_a_name, ["ta121", "queens:99", "crane", "TSMAT:1.5:2"]))
    assert not any(map(looks_like_a_name, ["x.txt", "dir/ta001.txt", "ta001.txt", "foo"]))
