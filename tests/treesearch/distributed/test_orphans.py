"""Worker processes whose coordinator was killed."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from tests.kill import KILL

SCRIPT = """
import multiprocessing
from concurrent.futures import ProcessPoolExecutor

import prunus

def tell(progress):
    if progress.nodes and not told:
        told.append(True)
        print(*executor._processes, flush=True)
    return False

if __name__ == "__main__":
    told = []
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as executor:
        prunus.solve(prunus.read("ta051"), executor=executor, stop=tell, devices="cpu:2")
"""


def gone(pid: int) -> bool:
    """Return whether a process has ended."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(") ")[2].startswith("Z")
    except FileNotFoundError:
        return True


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="looks processes up in /proc")
def test_workers_end_with_their_coordinator(tmp_path) -> None:
    """Killed by SIGKILL, it cannot tell them; they search no longer, and wait for nothing."""
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    with subprocess.Popen(
        [sys.executable, str(path)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as coordinator:
        assert coordinator.stdout is not None
        workers = [int(pid) for pid in coordinator.stdout.readline().split()]
        coordinator.send_signal(KILL)
    assert len(workers) == 2
    end = time.monotonic() + 30
    while not all(map(gone, workers)) and time.monotonic() < end:
        time.sleep(0.05)
    left = [pid for pid in workers if not gone(pid)]
    for pid in left:
        os.kill(pid, KILL)
    assert not left
