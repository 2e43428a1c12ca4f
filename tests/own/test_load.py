"""``FILE.py:NAME`` names a problem in a file, or says why it does not."""

from __future__ import annotations

import pytest

from prunus import InputError, PermutationProblem
from prunus.own.load import is_python, load

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
        found = load(f"{path}:{name}")
        assert isinstance(found, PermutationProblem)
        assert found.items == 4
    for name, said in (
        ("other", "has nothing that is called other"),
        ("number", "is no problem of your own but int"),
        ("wants", "takes arguments; name a function"),
    ):
        with pytest.raises(InputError, match=said):
            load(f"{path}:{name}")
    with pytest.raises(InputError, match="there is no file"):
        load("nowhere.py:made")
    with pytest.raises(InputError, match=r"not of the form FILE\.py:NAME"):
        load("ta030")


def test_what_names_a_file():
    """Instances are not taken for one."""
    assert is_python("a/b.py:make")
    for other in ("ta030", "queens:12", "b.py", "b.txt:3", "b.py:3"):
        assert not is_python(other)
