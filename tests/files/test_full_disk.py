"""A disk that is full: one sentence, what was there before, and nothing beside it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="needs a limit of the size of files")

PROGRAM = """
import resource, signal, sys
import prunus
what, path = sys.argv[1:]
problem = prunus.FlowShop([[k % 7 + 1, k % 5 + 1] for k in range(4000)])
result = prunus.Result(problem, "unknown", None, 8, None, 0.5)
writers = {
    "instance": lambda: prunus.write(problem, path),
    "result": lambda: result.save(path),
}
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    writers[what]()
except prunus.InputError as error:
    print(error)
"""


@pytest.mark.parametrize(
    ("what", "name"),
    [("instance", "x.txt"), ("instance", "x.csv"), ("instance", "x.json"), ("result", "r.json")],
)
def test_what_does_not_fit_leaves_what_was_there(what: str, name: str, tmp_path: Path) -> None:
    """Every writer goes by a file beside the target, which is removed if it cannot be completed."""
    path = tmp_path / name
    path.write_text("what was there before")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, what, str(path)],
        capture_output=True,
        text=True,
        check=True,
        stdin=subprocess.DEVNULL,
    )
    assert done.stdout == f"{path} cannot be written: file too large\n"
    assert path.read_text() == "what was there before"
    assert list(tmp_path.iterdir()) == [path]
