"""The scripts in ``benchmarks`` import one another as scripts do."""

from __future__ import annotations

from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture(autouse=True)
def _scripts(monkeypatch):
    """Let tests import them the same way."""
    monkeypatch.syspath_prepend(str(FOLDER))
