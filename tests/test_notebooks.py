"""The tutorials in docs/tutorials/ run from the first cell to the last."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "docs" / "tutorials").glob("*.ipynb"))


def test_there_are_notebooks() -> None:
    """The tests of the notebooks below do not pass for want of any."""
    assert len(NOTEBOOKS) >= 10


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook_runs(notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cells run one after another, and the stored file has no outputs that could grow old."""
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    cells = json.loads(notebook.read_text("utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert code
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": notebook.stem}
    for number, cell in enumerate(code):
        assert not cell["outputs"]
        assert cell["execution_count"] is None
        source = "".join(cell["source"])
        exec(compile(source, f"{notebook.name}[{number}]", "exec"), names)
