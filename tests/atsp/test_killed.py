"""A branch and bound that is killed outright, again and again, ends with the shortest tour."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

LIFE = Path(__file__).parents[1] / "runtime" / "checkpoint" / "life.py"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="lives are forked")
def test_killed_at_many_moments(tmp_path):
    """After SIGKILLs at random moments, on one core or two, br17 is proven to be 39."""
    path = Path(__file__).parents[1] / "data" / "br17.atsp"
    options = json.dumps({"first_incumbent": "none"})
    command = [sys.executable, str(LIFE), str(tmp_path / "run.ckpt"), str(path), options, "8", "1"]
    done = subprocess.run([*command, "0.05"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["killed"] > 0
    assert (answer["status"], answer["objective"], answer["explored"]) == ("optimal", 39, 1.0)
