"""The list of benchmarks is whole."""

from __future__ import annotations

import importlib
from pathlib import Path

from benchmarks.__main__ import HERE, commands


def test_every_benchmark_is_in_the_readme_and_begins():
    """Each that can be run stands in the index with its path, is a sentence, and has a main."""
    index = (HERE / "README.md").read_text(encoding="utf-8")
    found = commands()
    assert len(found) > 20
    for name, what in found.items():
        assert f"`{name.removeprefix('benchmarks.').replace('.', '/')}`" in index, name
        assert what.endswith("."), name
        assert callable(importlib.import_module(name).main), name


def test_every_file_the_readme_names_is_there():
    """No row of the index points at nothing."""
    index = (HERE / "README.md").read_text(encoding="utf-8")
    for row in (line for line in index.splitlines() if line.startswith("| ")):
        named = row.split("|")[2].split("`")[1::2]
        for name in (name for name in named if "/" in name):
            assert any(Path(HERE, name + ending).exists() for ending in ("", ".py")), name
