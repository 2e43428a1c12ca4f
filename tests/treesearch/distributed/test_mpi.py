"""MPI: workers are other ranks; messages go beside it, as everywhere."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

pytest.importorskip("mpi4py")
pytest.importorskip("zmq")

MPIEXEC = shutil.which("mpiexec", path=f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}")

SCRIPT = """
from mpi4py.futures import MPIPoolExecutor

import prunus

if __name__ == "__main__":
    with MPIPoolExecutor() as ranks:
        result = prunus.solve(prunus.NQueens(10), executor=ranks, devices="cpu:2")
    print(result.objective, result.explored, *(w["online"] for w in result.statistics["workers"]))
"""


@pytest.mark.skipif(MPIEXEC is None, reason="needs mpiexec")
def test_ranks_count_queens_and_are_online(tmp_path) -> None:
    """Two ranks explore, one coordinates."""
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    command = [MPIEXEC, "-n", "3", sys.executable, "-m", "mpi4py.futures", str(path)]
    told = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300, check=False
    )
    words = told.stdout.split()
    assert words[:2] == ["724", "1.0"], told.stderr
    assert set(words[2:]) == {"True"}
