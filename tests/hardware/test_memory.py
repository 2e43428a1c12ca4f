"""A limit on memory that is too tight for the compiler is told in a sentence."""

from __future__ import annotations

import subprocess
import sys

import pytest

resource = pytest.importorskip("resource")

CODE = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({limit}, {limit}))
from prunus.cli.entry import run
sys.exit(run(["solve", "queens:6", "--devices", "cpu:1"]))
"""


@pytest.mark.parametrize("limit", [300, 400, 500])
def test_too_little_memory_is_said(limit):
    """Numba would hang, end the process, or blame a missing library."""
    code = CODE.format(limit=limit << 20)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode != 0
    assert f"this process may use {limit} MiB of memory (ulimit -v)" in done.stderr
    assert "Traceback" not in done.stderr
