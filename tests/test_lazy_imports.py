"""What is not needed at once is not imported: a command starts in less than half a second."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import prunus

_REPORT = """
import json, sys, numpy, pickle
before = set(sys.modules)
try:
    {code}
except SystemExit as end:
    assert not end.code, end.code
print(json.dumps(sorted(set(sys.modules) - before)))
"""

_COMMAND = "import sys; sys.argv[1:] = {words}; from prunus.cli import main; main()"
_SOLVE = ["solve", "queens:8", "--devices", "cpu:1"]

_SLOW = {
    *("asyncio", "concurrent", "email", "http", "multiprocessing", "socket", "ssl", "subprocess"),
}
"""Parts of the standard library that take milliseconds."""


def imported(code: str) -> tuple[set[str], set[str]]:
    """Return what Python imports beside NumPy: packages of others, and slow parts of its own."""
    found = subprocess.run(
        [sys.executable, "-c", _REPORT.format(code=code)],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": str(Path(prunus.__file__).parents[1])},
    )
    names = {name.partition(".")[0] for name in json.loads(found.stdout.splitlines()[-1])}
    return names - {"numpy", "prunus"} - sys.stdlib_module_names, names & _SLOW


@pytest.mark.parametrize(
    ("code", "packages"),
    [
        ("import prunus", set()),
        (_COMMAND.format(words=["--version"]), {"click"}),
        (_COMMAND.format(words=_SOLVE), {"click"}),
    ],
    ids=["import", "version", "solve"],
)
def test_nothing_is_imported_too_early(code: str, packages: set[str]) -> None:
    """Neither Numba, CuPy and rich nor processes and sockets are imported before they are used."""
    others, slow = imported(code)
    assert others <= packages
    assert not slow
