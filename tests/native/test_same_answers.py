"""Kernels answer the same on every instruction set, in a fresh process and after others."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from prunus import _native

ROOT = Path(__file__).parents[2]
NAMES = sorted(path.stem for path in (Path(__file__).parent / "answers").glob("[a-z]*.py"))


@functools.cache
def answered(names: tuple[str, ...], instruction_set: str) -> dict[str, object]:
    """Return the answers of a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.native.answers", *names],
        cwd=ROOT,
        env=os.environ | {"PRUNUS_INSTRUCTION_SET": instruction_set},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers: dict[str, object] = json.loads(done.stdout)
    return answers


@pytest.mark.parametrize("name", NAMES)
def test_the_same_on_every_instruction_set(name):
    """Counts, solutions and duals do not depend on the instruction set that is chosen."""
    newest = answered((name,), _native.instruction_sets[-1])
    for older in _native.instruction_sets[:-1]:
        assert answered((name,), older) == newest


def test_the_same_whatever_a_process_did_before():
    """An answer of a fresh process is that of one which gave all others before, in any order."""
    newest = _native.instruction_sets[-1]
    forwards = answered(tuple(NAMES), newest)
    backwards = answered(tuple(reversed(NAMES)), newest)
    for name in NAMES:
        assert forwards[name] == backwards[name] == answered((name,), newest)[name]


def test_an_unknown_instruction_set_is_refused():
    """The import says which sets the processor has."""
    done = subprocess.run(
        [sys.executable, "-c", "import prunus._native"],
        env=os.environ | {"PRUNUS_INSTRUCTION_SET": "none"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "instruction set 'none': this processor has" in done.stderr
