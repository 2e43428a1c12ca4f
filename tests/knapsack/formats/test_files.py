"""Knapsack files: every format is recognised and read, damage is named with its line."""

from __future__ import annotations

import numpy as np
import pytest

from prunus import InputError, Knapsack, write
from prunus.files.textfile import TextFile
from prunus.write import format_names
from tests.reading import read

KPLIB = "3\n10\n\n5 4\n6 5\n7 6\n"
JOOKEN = "3\n0 5 4\n1 6 5\n2 7 6\n10\n"
SERIES = "knapPI_1_3_10_1\nn 3\nc 10\nz 12\ntime 0.00\n1,5,4,1\n2,6,5,1\n3,7,6,0\n-----\n\n"
CSV = "item,profit,weight\ntent,5,4\nstove,6,5\nrope,7,6\ncapacity,,10\n"


@pytest.fixture
def save(tmp_path):
    """Write a text to a file and return its path."""

    def write_text(text, name="x.kp"):
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write_text


@pytest.mark.parametrize("text", [KPLIB, JOOKEN, SERIES, CSV, CSV.replace(",", ";")])
def test_formats_are_recognised(save, text):
    """Four notations of the same three items."""
    k = read(save(text), kind="knapsack")
    assert isinstance(k, Knapsack)
    assert k.profits.tolist() == [5, 6, 7]
    assert k.weights.tolist() == [4, 5, 6]
    assert k.capacity == 10
    assert k.name == ("knapPI_1_3_10_1" if text is SERIES else "x")
    assert k.item_names == (("tent", "stove", "rope") if "tent" in text else None)


def test_one_of_a_series(save):
    """Of a file with several instances one is named by its number."""
    path = save(SERIES + SERIES.replace("10_1", "10_2").replace("c 10", "c 11"))
    assert read(path + "#2").capacity == 11
    assert read(path + "#1").name == "knapPI_1_3_10_1"
    with pytest.raises(InputError, match="holds 2 instances; name one"):
        read(path)
    with pytest.raises(InputError, match="no instance #3"):
        read(path + "#3")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (KPLIB[:-4], "line 5: the file ends after 2 of 3 items"),
        (KPLIB + "1 1\n", "line 7: unexpected '1 1' after the last of 3"),
        (KPLIB.replace("6 5", "6 x"), "line 5: 'x' is not a number"),
        (KPLIB.replace("6 5", "6 -5"), "line 5: weight -5 is negative"),
        (KPLIB.replace("6 5", "6.5 5"), "line 5: '6.5' is not a whole number"),
        (KPLIB.replace("6 5", "6"), "line 5: 1 numbers, expected 2"),
        (KPLIB.replace("10", "-10"), "line 2: the capacity -10 is negative"),
        (JOOKEN[:-3], "are 3 items; is the file truncated"),
        (JOOKEN[:-9], "are 2 items; is the file truncated"),
        (JOOKEN + "7\n", "line 6: unexpected '7'"),
        (JOOKEN.replace("1 6 5", "1 6 99999999999999999999"), "line 3: .* too large"),
        (SERIES.replace("n 3", "n 4"), "3 items follow, but n says 4"),
        (SERIES.replace("2,6,5,1", "2,6,5,1,9"), "line 7: 5 cells"),
        (SERIES.replace("c 10", "c ten"), "line 3: 'ten' is not a number"),
        (CSV.replace("capacity,,10\n", ""), "no row 'capacity'"),
        (CSV.replace("capacity,,10", "capacity,1,10"), "line 5: one capacity"),
        (CSV.replace("6,5", "6,"), "line 3: '' is not a number"),
        (CSV.replace("stove,6,5", "stove,6"), "line 3: 2 cells, but the header has 3"),
        (CSV.replace("item", "weight"), "line 1: 2 columns are called weight"),
    ],
)
def test_damage_is_named(save, text, complaint):
    """The file and the line of every mistake are in the sentence."""
    path = save(text)
    with pytest.raises(InputError, match=complaint) as error:
        read(path)
    assert str(error.value).startswith(path)


@pytest.mark.parametrize("form", ["kplib", "csv", "tsv"])
@pytest.mark.parametrize("items", [0, 1, 2, 3, 30])
def test_what_is_written_is_read_back(tmp_path, form, items):
    """Writing and reading give the same instance, with its names where the format has any."""
    rng = np.random.default_rng(items)
    names = [f'a "b", {k}' for k in range(items)] if items == 3 else None
    k = Knapsack(rng.integers(0, 99, items), rng.integers(0, 9, items), 17, item_names=names)
    assert form in format_names()
    path = tmp_path / "k.txt"
    write(k, path, format=form)
    again = read(path)
    assert again.profits.tolist() == k.profits.tolist()
    assert again.weights.tolist() == k.weights.tolist()
    assert again.capacity == 17
    assert again.item_names == (None if form == "kplib" else k.item_names)


def test_other_kind_is_refused(save):
    """A knapsack asked for as a flow shop is refused in words."""
    path = save(KPLIB)
    with pytest.raises(InputError, match="is a knapsack, not a flow shop"):
        read(path, kind="flowshop")
    assert TextFile.load(path).stem == "x"
