"""Nothing that only POSIX systems have is needed to import the library or to solve with it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CODE = """
import os

from tests.hide_posix import hide

hide()

import prunus
from prunus.cli.entry import run

shop = prunus.read("shop.csv")
result = prunus.solve(shop, devices="cpu:1", checkpoint="run.ckpt", method="interval")
assert result.objective == 7, result
assert prunus.resume("run.ckpt", devices="cpu:1").objective == 7
assert not os.path.exists("run.ckpt.lock")
prunus.write(shop, "shop.json")
assert run(["solve", "shop.json", "--devices", "cpu:1", "--output", "schedule.csv"]) == 0
assert run(["info", "run.ckpt"]) == 0
assert run(["solve", "nothing.csv"]) == 2
"""


def test_without_what_only_posix_has(tmp_path: Path) -> None:
    """Importing, reading, solving with a checkpoint and the command work without those parts."""
    (tmp_path / "shop.csv").write_text("job,cutting,milling\ngear,3,2\nshaft,1,4\n")
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "optimal (proven)" in done.stdout
