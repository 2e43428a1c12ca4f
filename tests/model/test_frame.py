"""What people bring: ids in a column, long tables, decimals, workbooks."""

from __future__ import annotations

from pathlib import Path

import pytest

import prunus
from prunus.errors import InputError

pd = pytest.importorskip("pandas")

LONG = [("gear", "cut", 3), ("shaft", "cut", 1), ("gear", "mill", 2), ("shaft", "mill", 4)]
TIMES = [[3, 2], [1, 4]]


def same(shop: prunus.FlowShop) -> None:
    """It is the shop of the long table."""
    assert shop.processing_times.tolist() == TIMES
    assert shop.job_names == ("gear", "shaft")
    assert shop.machine_names == ("cut", "mill")


def test_a_first_column_of_names() -> None:
    """Text in the first column, or numbers under a heading like id, names the rows."""
    wide = pd.DataFrame({"part": ["gear", "shaft"], "cut": [3, 1], "mill": [2, 4]})
    same(prunus.FlowShop(wide))
    same(prunus.FlowShop(wide.set_index("part")))
    numbered = prunus.FlowShop(pd.DataFrame({"id": [17, 4], "cut": [3, 1], "mill": [2, 4]}))
    assert numbered.job_names == ("17", "4")
    assert numbered.processing_times.tolist() == TIMES
    plain = prunus.FlowShop(pd.DataFrame(TIMES))
    assert plain.job_names is plain.machine_names is None
    costs = pd.DataFrame({"agent": ["ann", "bob"], "sweep": [1.5, 2.0], "mop": [3.0, 4.0]})
    assert prunus.Assignment(costs).agent_names == ("ann", "bob")
    assert prunus.Assignment(costs).evaluate([0, 1]) == 5.5


def test_polars() -> None:
    """Frames of polars, which have no index, are taken likewise."""
    pl = pytest.importorskip("polars")
    same(prunus.FlowShop(pl.DataFrame({"part": ["gear", "shaft"], "cut": [3, 1], "mill": [2, 4]})))
    same(prunus.FlowShop(pl.DataFrame(LONG, schema=["job", "machine", "duration"], orient="row")))


def test_long_tables(tmp_path: Path) -> None:
    """A row for each operation, with the columns in any order, as a frame and as a file."""
    frame = pd.DataFrame(LONG, columns=["job", "machine", "duration"])
    same(prunus.FlowShop(frame))
    same(prunus.FlowShop(frame[["duration", "machine", "job"]]))
    frame.to_csv(tmp_path / "long.csv", index=False)
    found = prunus.read(tmp_path / "long.csv")
    assert isinstance(found, prunus.FlowShop)
    same(found)
    with pytest.raises(InputError, match="job shaft has no row for machine mill"):
        prunus.FlowShop(frame[:3])
    with pytest.raises(InputError, match="job gear is on machine cut twice, not once"):
        prunus.FlowShop(pd.concat([frame, frame[:1]]))
    (tmp_path / "long.csv").write_text("job,machine,time\ngear,cut,3.5\n")
    with pytest.raises(InputError, match=r"long.csv, line 2: '3.5' is not a whole number"):
        prunus.read(tmp_path / "long.csv")


def test_decimals_are_refused_with_what_to_multiply_by() -> None:
    """Never rounded unasked; the factor makes every value whole."""
    with pytest.raises(InputError, match=r"is not a whole number.*; multiply all of them by 100 a"):
        prunus.FlowShop([[1.5, 2.25], [3, 4]])
    with pytest.raises(InputError, match=r"2\*\*62 - 1$"):
        prunus.FlowShop([[1 / 3, 1]])
    assert prunus.FlowShop([[150, 225], [300, 400]]).jobs == 2


def test_workbooks(tmp_path: Path) -> None:
    """The first sheet of a workbook is read like a CSV table."""
    pytest.importorskip("openpyxl")
    path = tmp_path / "shop.xlsx"
    pd.DataFrame(TIMES, index=["gear", "shaft"], columns=["cut", "mill"]).to_excel(
        path, index_label="job"
    )
    found = prunus.read(path)
    assert isinstance(found, prunus.FlowShop)
    same(found)
    assert found.name == "shop"
    path.write_text("hello")
    with pytest.raises(InputError, match=r"shop.xlsx is not a readable workbook"):
        prunus.read(path)


def test_the_order_of_machines_in_a_long_table() -> None:
    """It is that of each job's rows, or of the machines' numbers; otherwise it is not guessed."""
    frame = pd.DataFrame(LONG, columns=["job", "machine", "duration"])
    same(prunus.FlowShop(frame.sort_values("job", kind="stable")))
    with pytest.raises(InputError, match="rows of job shaft name the machines in another order"):
        prunus.FlowShop(frame.iloc[[0, 2, 3, 1]])
    numbered = frame.assign(machine=[9, 9, 10, 10]).iloc[[2, 0, 1, 3]]
    shop = prunus.FlowShop(numbered)
    assert (shop.machine_names, shop.processing_times.tolist()) == (("9", "10"), TIMES)


def test_rows_of_machines() -> None:
    """A table whose rows are headed as machines is turned, however it comes."""
    turned = pd.DataFrame({"machine": ["cut", "mill"], "gear": [3, 2], "shaft": [1, 4]})
    same(prunus.FlowShop(turned))
    same(prunus.FlowShop(turned.set_index("machine")))
    frame = pd.DataFrame(LONG, columns=["job", "machine", "duration"])
    same(prunus.FlowShop(frame.pivot(index="machine", columns="job", values="duration")))
    same(prunus.FlowShop(frame.pivot(index="job", columns="machine", values="duration")))


def test_decimals_are_refused_with_a_factor() -> None:
    """Profits, weights and targets too; what must be scaled together is named together."""
    with pytest.raises(InputError, match=r"1\.5 .*; multiply all of them by 10 and round"):
        prunus.Knapsack([1.5, 2], [1, 2], 3)
    factor = "multiply the weights and the target by 100 and round"
    with pytest.raises(InputError, match=factor):
        prunus.SubsetSum([1.25, 2], 3)
    with pytest.raises(InputError, match=factor):
        prunus.SubsetSum([1, 2], 3.25)
