"""Generated knapsacks: each class has the form that its paper gives it, the same for ever."""

from __future__ import annotations

import numpy as np
import pytest

from prunus import InputError, Knapsack
from prunus.knapsack.formats.classes import CLASSES, generate
from tests.reading import read


def test_every_class_is_built_by_name():
    """A name gives the same instance each time; coefficients and capacity make sense."""
    for kind in CLASSES:
        name = f"knapsack:{kind}:200:1000:7"
        k = read(name)
        assert isinstance(k, Knapsack)
        assert k.name == name
        assert k.items == 200
        assert k.profits.tolist() == read(name).profits.tolist()
        assert k.profits.min() >= 1
        assert k.weights.min() >= 1
        half = kind == "paper"
        total = int(k.weights.sum())
        expected = total // 2 if half else max(int(k.weights.max()), 7 * total // 101)
        assert k.capacity == expected


def test_forms():
    """Profits depend on weights as published."""
    k = {kind: generate(kind, 3000, 1000, 3) for kind in CLASSES}
    w = {kind: k[kind].weights for kind in k}
    p = {kind: k[kind].profits for kind in k}
    assert np.array_equal(p["paper"], w["paper"] + 50)
    assert np.array_equal(p["strongly"], w["strongly"] + 100)
    assert np.array_equal(w["inverse-strongly"], p["inverse-strongly"] + 100)
    assert np.abs(p["almost-strongly"] - w["almost-strongly"] - 100).max() == 2
    assert np.abs(p["weakly"] - w["weakly"]).max() == 100
    assert np.array_equal(p["subset-sum"], w["subset-sum"])
    assert not (w["even-odd"] % 2).any()
    assert w["similar-weights"].min() >= 100_000
    assert w["similar-weights"].max() <= 100_100
    mixed = w["multiple-strongly"]
    assert np.array_equal(p["multiple-strongly"] - mixed, np.where(mixed % 6 == 0, 300, 200))
    assert np.array_equal(p["profit-ceiling"], 3 * np.ceil(w["profit-ceiling"] / 3))
    exact = 2 / 3 * np.sqrt(4.0 * 1000**2 - (w["circle"] - 2000.0) ** 2)
    assert np.abs(p["circle"] - np.floor(exact)).max() <= 1
    assert (p["circle"] == np.floor(exact)).mean() > 0.99
    pairs = set(zip(p["spanner-strongly"].tolist(), w["spanner-strongly"].tolist(), strict=True))
    assert len(pairs) <= 20


def test_raw_words_are_pinned():
    """The numbers do not change with the version of NumPy or of this library."""
    k = read("knapsack:uncorrelated:4:1000:1")
    assert k.profits.tolist() == [512, 951, 145, 949]
    assert k.weights.tolist() == [312, 424, 828, 410]


def test_multigroup():
    """Groups weigh C/2 + noise, C/4 + noise, … plus 1 to the spread, the rest are small."""
    k = read("multigroup:400:1000000:14:20:100:100:1")
    w = k.weights
    assert k.capacity == 10**6
    for group in range(13):
        base = 10**6 // 2 ** (group + 1) + 1000
        part = w[24 * group : 24 * (group + 1)]
        assert part.min() > base
        assert part.max() <= base + 100
    assert w[312:].max() <= 100


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("knapsack:stronly:10:10:1", "'stronly' is not a class of knapsacks"),
        ("knapsack:strongly:10:10", "knapsack:CLASS:ITEMS:RANGE:SEED"),
        ("knapsack:strongly:0:10:1", "1 to 10000000 items"),
        ("knapsack:strongly:10:0:1", "range of a generated knapsack"),
        ("knapsack:strongly:x:10:1", "ITEMS must be a whole number"),
        ("multigroup:10:100:1:10:1:5:1", "number of groups of a multi-group knapsack is 2 to 50"),
    ],
)
def test_wrong_names(name, complaint):
    """Every wrong parameter is named."""
    with pytest.raises(InputError, match=complaint):
        read(name)
