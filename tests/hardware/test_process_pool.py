"""A program ends, whatever was killed of its process pools."""

from __future__ import annotations

import subprocess
import sys

import pytest

PROGRAM = """
import os, signal, sys, time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from prunus.hardware.executor import ExecutorEngine

def which(seconds):
    time.sleep(seconds)
    return os.getpid()

if __name__ == "__main__":
    engine = ExecutorEngine(lambda: ProcessPoolExecutor(4, get_context(sys.argv[1])))
    for tag in range(4):
        engine.submit(tag, which, 0.05)
    while len(engine):
        engine.collect(60)
    time.sleep(0.2)  # until all wait; if they do not, the test shows less
    *killed, left = engine.executor._processes
    for pid in killed:
        os.kill(pid, signal.SIGKILL)
    engine.close()
    print("closed", len(killed))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="nothing is killed by signals there")
@pytest.mark.parametrize("start", ["fork", "forkserver", "spawn"])
def test_what_is_killed_as_a_pool_is_shut_down_keeps_no_program(start, tmp_path) -> None:
    """Whoever waits for a call holds the lock that the one process which is left waits for."""
    script = tmp_path / "script.py"
    script.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, str(script), start],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("closed")
