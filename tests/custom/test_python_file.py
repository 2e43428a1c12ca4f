"""``FILE.py:NAME`` names a problem in a file, or says why it does not."""

from __future__ import annotations

import sys

import pytest

from prunus import InputError, PermutationProblem
from prunus.custom.python_file import is_python_source, load_problem

TEXT = """
from prunus import PermutationProblem
from beside import SIZE

made = PermutationProblem(SIZE, state=1, data={})
number = 7

def make(size=SIZE):
    return PermutationProblem(size, state=1, data={})

def wants(size):
    return make(size)
"""


def test_names_of_a_file(tmp_path, monkeypatch):
    """A problem or a function that makes one; a module beside it is found."""
    monkeypatch.setattr("sys.path", [*__import__("sys").path])
    (tmp_path / "beside.py").write_text("SIZE = 4\n")
    path = tmp_path / "own_problems_of_a_test.py"
    path.write_text(TEXT)
    for name in ("made", "make"):
        found = load_problem(f"{path}:{name}")
        assert isinstance(found, PermutationProblem)
        assert found.items == 4
    for name, said in (
        ("other", "has no object named other"),
        ("number", "is not a problem of your own but int"),
        ("wants", "takes arguments; name a function"),
    ):
        with pytest.raises(InputError, match=said):
            load_problem(f"{path}:{name}")
    with pytest.raises(InputError, match="there is no file"):
        load_problem("nowhere.py:made")
    with pytest.raises(InputError, match=r"not of the form FILE\.py:NAME"):
        load_problem("ta030")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def make(:\n", "line 1: SyntaxError"),
        ("import math\nmath.sqrt(-1)\n", "line 2: ValueError: "),
        ("import prunus_has_no_such_module\n", "line 1: ModuleNotFoundError"),
        ("\ndef make():\n    return [][3]\n", "line 3: IndexError"),
        ("import prunus\nmake = lambda: prunus.NQueens(0)\n", "n of NQueens must be"),
    ],
)
def test_what_fails_in_the_file_is_said_with_its_line(tmp_path, monkeypatch, text, said):
    """A user's own mistake is no defect of the library, and half a module is forgotten."""
    monkeypatch.setattr("sys.path", [*sys.path])
    path = tmp_path / "own_problems_that_fail.py"
    path.write_text(text)
    with pytest.raises(InputError, match=said):
        load_problem(f"{path}:make")
    if "def make():" not in text and "lambda" not in text:
        assert path.stem not in sys.modules
    sys.modules.pop(path.stem, None)


def test_what_names_a_file():
    """Instances are not taken for one."""
    assert is_python_source("a/b.py:make")
    for other in ("ta030", "queens:12", "b.py", "b.txt:3", "b.py:3"):
        assert not is_python_source(other)
