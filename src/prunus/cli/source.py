"""What commands take for an instance: a file, a name, or a problem in a Python file."""

from __future__ import annotations

from prunus.custom.python_file import is_python_source, load_problem
from prunus.model.spec import Problem
from prunus.read import read

__all__ = ["problem_of"]


def problem_of(source: str, kind: str | None = None) -> Problem:
    """Return the problem that a word of the command line stands for.

    Parameters
    ----------
    source
        The path of a file, the name of an instance, or ``FILE.py:NAME``.
    kind
        What the file holds.

    Raises
    ------
    InputError
        If there is no such thing, or if it is no problem.
    """
    return load_problem(source) if is_python_source(source) else read(source, kind=kind)
