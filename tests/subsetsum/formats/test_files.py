"""Subset sums in files: what is written is read back, and what is wrong is said with its line."""

from __future__ import annotations

import random

import pytest

import prunus
from prunus import InputError, Knapsack, SubsetSum
from prunus.files.formats import Evidence
from prunus.files.textfile import TextFile
from prunus.subsetsum.formats import text as subsetsum_text
from prunus.subsetsum.formats.random_instances import odd, planted
from tests.reading import read


@pytest.mark.parametrize("suffix", [".txt", ".json", ".csv", ".tsv"])
def test_every_format_gives_back_the_numbers(tmp_path, suffix) -> None:
    """Random instances of 1 to 127 bits, negative numbers and zeros included."""
    rng = random.Random(suffix)
    for number in range(40):
        n = rng.randint(1, 9)
        weights = [rng.randint(-(2 ** rng.choice([1, 60, 127])), 2**127) for _ in range(n)]
        question = "count" if suffix == ".json" else "sum"
        problem = SubsetSum(weights, sum(weights[::2]), objective=question)
        path = tmp_path / f"{number}{suffix}"
        prunus.write(problem, path)
        copy = read(path)
        assert isinstance(copy, SubsetSum)
        assert (copy.weights, copy.target) == (problem.weights, problem.target)
        assert copy.item_names is None
        assert copy.objective == question
        if question == "sum":
            with pytest.raises(InputError, match=r"write it as .*json"):
                prunus.write(problem.with_objective("count"), tmp_path / f"count{suffix}")


@pytest.mark.parametrize("suffix", [".json", ".csv", ".tsv"])
def test_names_survive_tables_and_json(tmp_path, suffix) -> None:
    """Commas, quotes and semicolons in names included."""
    problem = SubsetSum([1, 2, 3], 4, item_names=["a, b", 'say "c"', "d;e"])
    prunus.write(problem, tmp_path / f"x{suffix}")
    assert read(tmp_path / f"x{suffix}").item_names == problem.item_names


@pytest.mark.parametrize(
    ("text", "weights", "target"),
    [
        ("3\n5 6 7\n11\n", (5, 6, 7), 11),
        ("3\n5\n6\n7\n11", (5, 6, 7), 11),
        ("# three\n3\n5 6\n7 # the last\n11", (5, 6, 7), 11),
        ("2\n1e3 5.0\n1005\n", (1000, 5), 1005),
    ],
)
def test_plain_numbers_may_stand_in_any_lines(tmp_path, text, weights, target) -> None:
    """The number of items, the weights, the target."""
    (tmp_path / "x.txt").write_text(text)
    problem = read(tmp_path / "x.txt")
    assert (problem.weights, problem.target) == (weights, target)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("x.txt", "3\n1 2 x\n4\n", "line 2: 'x' is not a number"),
        ("x.txt", "3\n1 2 2.5\n4\n", "line 2: '2.5' is not a whole number"),
        ("x.txt", "3\n1 2\n4\n", "3 numbers after the number of items, expected 4"),
        ("x.txt", "3\n1 2 3\n4\n5\n", "line 4: 5 numbers after the number of items, expected 4"),
        ("x.csv", "item,weight\na,3\n", "no row for the target"),
        ("x.csv", "item,weight\na,3\nb,x\ntarget,3", "line 3: 'x' is not a number"),
        ("x.csv", "a,3\ntarget,3\ntarget,4", "line 3: there is a second target"),
        ("x.csv", "a,3\nb,3,4\ntarget,4", "line 2: 3 cells, expected a name and a weight"),
        ("x.csv", "a,1.5\nb,2.25\ntarget,4", "'1.5' is not a whole .* all of them by 100 and"),
        ("x.csv", "a,3\nb,4\nTotal,7\ntarget,4", "line 3: 'Total' is the sum of the rows above"),
        ("x.csv", "a,\ntarget,4", "line 1: the weight of 'a' is missing"),
        ("x.json", '{"weights": [1], "target": 2', "line 1: not JSON"),
        ("x.json", '{"weights": [1], "target": 2, "w": 1}', "'w' is none of the fields"),
        ("x.json", '{"weights": [1, 2.5], "target": 2}', "weight 1 .* not a whole number"),
        ("x.json", '{"weights": 5, "target": 2}', "weights must be a sequence"),
        ("x.json", '{"weights": [%s], "target": 2}' % ("9" * 5000), "thousands of digits"),
        ("x.json", "[" * 100_000, "nested hundreds deep"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path, name, text, words) -> None:
    """The file, and the line or the field."""
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InputError, match=words) as caught:
        read(path, kind="subsetsum")
    assert str(path) in str(caught.value)


@pytest.mark.parametrize("number", ["²", "4²", "٣", "½", "1_0"])
def test_digits_of_other_scripts_are_no_numbers(tmp_path, number) -> None:
    """A file that begins with one is refused in a sentence, whatever it is taken for."""
    path = tmp_path / "x.txt"
    path.write_text(f"{number}\n1\n2\n3\n4\n")
    with pytest.raises(InputError):
        read(path)


def test_an_item_called_target_is_not_written_as_a_table(tmp_path) -> None:
    """It would be read as the target; JSON takes it."""
    problem = SubsetSum([1], 1, item_names=["Target"])
    with pytest.raises(InputError, match="called target"):
        prunus.write(problem, tmp_path / "x.csv")
    prunus.write(problem, tmp_path / "x.json")
    assert read(tmp_path / "x.json").item_names == ("Target",)


@pytest.mark.parametrize("cut", range(1, 12))
def test_a_knapsack_that_was_cut_off_is_not_taken_for_a_subset_sum(tmp_path, cut) -> None:
    """Kplib's files have a lone number, a lone number and pairs."""
    path = tmp_path / "x.kp"
    prunus.write(Knapsack([5, 6, 7, 8], [3, 4, 5, 6], 9), path)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:cut]))
    try:
        assert isinstance(read(path), Knapsack)
    except InputError:
        assert cut < len(path.read_text())


def test_generated_instances_are_the_same_everywhere() -> None:
    """The names tell the seed; weights and targets are those of the first release."""
    first = planted(None, 5, 20, 1)
    assert first.weights == (174183, 881322, 670411, 471606, 185611)
    assert first.target == read("subsetsum:5:20:1").target == 174183 + 185611
    assert max(planted(None, 100, 10, 1).weights) <= 2**10
    never = odd(None, 30, 50, 2)
    assert never.target % 2 == 1
    assert all(weight % 2 == 0 for weight in never.weights)
    with pytest.raises(InputError, match="ITEMS must be from 1"):
        read("subsetsum:0:20:1")
    with pytest.raises(InputError, match="BITS must be"):
        read("subsetsum-odd:5:1:1")


@pytest.mark.parametrize(
    ("text", "ours"),
    [
        ("3\n1 2 4\n5\n", True),
        ("3\n1\n2\n4\n5\n", True),
        ("3 1\n2 4\n5\n", False),
        ("3\n1 2\n4 5\n", False),
        ("3\n1 2 4\n5\n6\n", False),
    ],
)
def test_the_number_of_items_and_the_target_stand_alone(text, ours) -> None:
    """Numbers in lines of any length are a subset sum only between the two, and if they are n."""
    evidence = subsetsum_text.recognises(TextFile.from_text("t.txt", text))
    assert (evidence is Evidence.COUNTED) == ours
