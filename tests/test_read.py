"""read: recognises by content, tells names from files, and names the file in every complaint."""

from __future__ import annotations

from pathlib import Path
from typing import get_args, get_overloads, get_type_hints

import pytest

import prunus
from prunus.atsp.problem import ATSP
from prunus.errors import InputError
from prunus.flowshop.formats import taillard
from prunus.flowshop.problem import FlowShop
from prunus.model.registry import known_specs
from prunus.nqueens.problem import NQueens
from prunus.read import kinds
from tests.reading import read

DATA = Path(__file__).parent / "data"
HEAD = "number of jobs, number of machines, initial seed, upper bound and lower bound :\n"
TSPLIB = (
    "TYPE: ATSP\nDIMENSION: 2\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FULL_MATRIX\n"
    "EDGE_WEIGHT_SECTION\n0 1 2 0\n"
)


@pytest.fixture
def save(tmp_path):
    """Write a text to a file and return its path."""

    def write(text, name="some.file"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize(
    ("text", "kind", "matrix"),
    [
        (
            HEAD + "3 2 0 9 9\nprocessing times :\n1 2 3\n4 5 6\n",
            FlowShop,
            [[1, 4], [2, 5], [3, 6]],
        ),
        ("3 2\n1 2 3\n4 5 6\n", FlowShop, [[1, 4], [2, 5], [3, 6]]),
        ("2 2\n0 5 1 6\n0 7 1 8\n", FlowShop, [[5, 6], [7, 8]]),
        ("5,6\n7,8\n", FlowShop, [[5, 6], [7, 8]]),
        ("5;6\n7;8\n", FlowShop, [[5, 6], [7, 8]]),
        ("5\t6\t1\n7\t8\t2\n", FlowShop, [[5, 6, 1], [7, 8, 2]]),
        (TSPLIB, ATSP, [[0, 1], [2, 0]]),
        ("city,0,1\n0,0,1\n1,2,0\n", ATSP, [[0, 1], [2, 0]]),
    ],
)
@pytest.mark.parametrize("name", ["some.file", "some.csv", "some.txt", "some.atsp", "some"])
def test_content_decides_and_not_the_suffix(save, text, kind, matrix, name):
    """Every format is recognised under any suffix, and the problem bears the file's name."""
    problem = read(save(text, name))
    assert type(problem) is kind
    numbers = problem.distances if kind is ATSP else problem.processing_times
    assert numbers.tolist() == matrix
    assert problem.name == "some"


def test_two_columns_with_tabs_need_a_suffix(save):
    """A line of two numbers and a tab heads a bare matrix, unless the file is called a table."""
    text = "2\t2\n7\t8\n9\t1\n"
    assert read(save(text, "x.txt")).processing_times.tolist() == [[7, 9], [8, 1]]
    assert read(save(text, "x.tsv")).processing_times.tolist() == [[2, 2], [7, 8], [9, 1]]


@pytest.mark.parametrize(
    ("file", "kind", "size"),
    [
        ("VFR10_5_1_Gap.txt", FlowShop, (10, 5)),
        ("VFR10_10_1_Gap.txt", FlowShop, (10, 10)),
        ("VFR20_5_1_Gap.txt", FlowShop, (20, 5)),
        ("br17.atsp", ATSP, (17, 17)),
        ("ftv33.atsp", ATSP, (34, 34)),
    ],
)
def test_published_files(file, kind, size):
    """Published files are recognised, as text and as path."""
    for source in (DATA / file, str(DATA / file)):
        problem = read(source)
        assert type(problem) is kind
        numbers = problem.distances if kind is ATSP else problem.processing_times
        assert numbers.shape == size
        assert problem.name == Path(file).stem


def test_names_need_no_file():
    """A name generates its instance."""
    assert isinstance(read("queens:8"), NQueens)
    assert read("ta001").jobs == 20
    assert read("ta001", kind="flowshop").machines == 5


def test_a_name_means_the_same_in_every_folder(save, monkeypatch):
    """A file of that very name needs a folder, or is a Path, which is never a name."""
    path = save("1 1\n7\n", "ta001")
    monkeypatch.chdir(path.parent)
    with pytest.warns(UserWarning, match=r"^ta001 is the instance .*; the file here is \./ta001$"):
        assert read("ta001").jobs == 20
    assert read("./ta001").jobs == read(Path("ta001")).jobs == 1
    for words in ("ta999", "shop", "queens"):  # what is no name can only be a file
        assert read(str(save("1 1\n7\n", words).name)).jobs == 1
    Path("ta002").mkdir()  # and what can be no instance is not even mentioned
    prunus.solve(read("ta003"), checkpoint="ta003", stop=prunus.stop.MaxNodes(0), devices="cpu:1")
    assert [read(name).jobs for name in ("ta002", "ta003")] == [20, 20]
    Path("ta002").rmdir()
    with pytest.raises(InputError, match="there is no file ta002; the instance ta002 needs none"):
        read(Path("ta002"))


def test_a_checkpoint_is_told_from_an_instance(tmp_path, monkeypatch):
    """The sentence says what to do with it."""
    monkeypatch.chdir(tmp_path)
    path = "my run.ckpt"
    prunus.solve(read("ta001"), checkpoint=path, stop=prunus.stop.MaxNodes(0), devices="cpu:1")
    with pytest.raises(InputError, match=r"prunus\.resume\('my run\.ckpt'\).* 'my run\.ckpt'$"):
        read(path)


def test_one_of_several_instances(save, tmp_path):
    """#k chooses from a file with several instances, and is refused for others."""
    both = save(taillard.dumps(read("ta001")) + taillard.dumps(read("ta002")), "tai20_5.txt")
    with pytest.raises(InputError, match=r"choose one with .*tai20_5\.txt#1 to .*tai20_5\.txt#2"):
        read(both)
    second = read(f"{both}#2")
    assert second.name == "tai20_5#2"
    assert (second.processing_times == read("ta002").processing_times).all()
    assert read(Path(f"{both}#1")).name == "tai20_5#1"
    with pytest.raises(InputError, match="no instance #3, the file holds 2"):
        read(f"{both}#3")
    single = save("1 1\n7")
    with pytest.raises(InputError, match="holds one instance; leave out #1"):
        read(f"{single}#1")
    arcs = save("p asn 2 1\nn 1\na 1 2 3\n", "pair.asn")
    with pytest.raises(InputError, match="holds one instance; leave out #2"):
        read(f"{arcs}#2")
    literal = save("1 1\n7\n", "odd#1")
    assert read(literal).name == "odd#1"


def test_kind_says_what_the_content_leaves_open(save):
    """Kind turns a square matrix round, and makes distances of a table."""
    square = save("2 2\n1 2\n3 4\n", "s.txt")
    assert read(square).processing_times.tolist() == [[1, 3], [2, 4]]
    assert read(square, kind="flowshop-by-machine").processing_times.tolist() == [[1, 3], [2, 4]]
    assert read(square, kind="flowshop-by-job").processing_times.tolist() == [[1, 2], [3, 4]]
    table = save("0,2\n3,0\n", "t.csv")
    with pytest.raises(InputError, match="kind='flowshop', kind='atsp' or kind='assignment'"):
        read(table)
    assert read(table, kind="atsp").distances.tolist() == [[0, 2], [3, 0]]
    assert read(table, kind="flowshop").processing_times.tolist() == [[0, 2], [3, 0]]
    assert read(table, kind="flowshop-by-machine").processing_times.tolist() == [[0, 3], [2, 0]]


def test_kind_that_contradicts_the_content_is_refused(save):
    """A kind that is not what the source holds, or is no kind, is refused."""
    with pytest.raises(InputError, match="is an ATSP, not a flow shop as kind='flowshop' says"):
        read(save(TSPLIB), kind="flowshop")
    with pytest.raises(InputError, match="is a flow shop, not an ATSP"):
        read(save("1 1\n7"), kind="atsp")
    with pytest.raises(InputError, match="N-Queens, not a flow shop"):
        read("queens:8", kind="flowshop")
    with pytest.raises(InputError, match="kind='jobshop' is not one of " + ", ".join(kinds())):
        read("ta001", kind="jobshop")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is empty"),
        ("hello world\n", "not a format that prunus knows: it begins with 'hello world'"),
        ("42\n", "not a format that prunus knows"),
        ("1 2 3\n4 5 6\n", "not a format that prunus knows"),
        ("<html>\n", "not a format"),
        ('{"a": 1}', "the field 'problem', which says what the instance is, is missing"),
        ('{"weights": [1,2', "line 1: not JSON"),
        (f"2 1\n{2**61} {2**61}\n", "add up to 2"),
    ],
)
def test_unknown_content_is_refused_naming_the_file(save, text, complaint):
    """What is no format, and what no format catches, is refused with the name of the file."""
    path = save(text)
    with pytest.raises(InputError, match=f"^{path}.*({complaint})"):
        read(path)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("nowhere/x.txt", "there is no file nowhere/x.txt$"),
        ("nowhere.csv", "there is no file nowhere.csv$"),
        ("ta056.txt", "the instance ta056 needs none, just say ta056"),
        ("nonsense", "no file and no instance 'nonsense'"),
        ("", "empty"),
        ("  ", "empty"),
        (".", "is a directory"),
        (b"ta001", "got bytes"),
        (None, "got NoneType"),
        (7, "got int"),
        ("a\0b.txt", "zero byte"),
        ("x" * 5000 + ".txt", "no file"),
    ],
)
def test_missing_and_impossible_sources(source, complaint):
    """What is neither a file nor a name is refused in one sentence."""
    with pytest.raises(InputError, match=complaint):
        read(source)


def test_a_python_file_is_told_from_an_instance(tmp_path):
    """Whoever names a file of code is told how a problem in it is named."""
    path = tmp_path / "tsp.py"
    path.write_text("import prunus\n")
    with pytest.raises(InputError, match=r"Python code, not an instance.*FILE\.py:NAME"):
        read(path)


def test_a_type_checker_knows_what_each_kind_is() -> None:
    """Each kind that a file may be said to hold has the class of what is read."""
    classes = {spec.kind: spec.problem_class for spec in known_specs()}
    names = {each.__name__: each for each in classes.values()}
    known = {}
    for overload in get_overloads(prunus.read):
        hints = get_type_hints(overload, localns=names)
        known |= dict.fromkeys(get_args(hints["kind"]), hints["return"])
    for kind in kinds():
        assert known[kind] is classes[kind.partition("-")[0]]
    shop: FlowShop = prunus.read("ta001", kind="flowshop")
    assert shop.jobs == 20
