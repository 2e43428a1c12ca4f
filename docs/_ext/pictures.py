"""The pictures of the site: each is drawn by a script of ``docs/pictures`` that leaves ``axes``.

A picture is drawn again when its script is newer. Pages show it with ``figure`` and, in the
gallery, the script with ``literalinclude``.
"""

from __future__ import annotations

import runpy
from pathlib import Path

import matplotlib as mpl
from sphinx.application import Sphinx

FOLDER = Path(__file__).parents[1] / "pictures"
STYLE = {"svg.hashsalt": "prunus", "savefig.facecolor": "white", "savefig.bbox": "tight"}


def draw(app: Sphinx) -> None:
    """Draw what is missing or out of date."""
    for script in sorted(FOLDER.glob("*.py")):
        picture = script.with_suffix(".svg")
        if picture.exists() and picture.stat().st_mtime > script.stat().st_mtime:
            continue
        with mpl.rc_context(STYLE):
            axes = runpy.run_path(str(script))["axes"]
            axes.figure.savefig(picture, metadata={"Date": None})


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("builder-inited", draw)
    return {"parallel_read_safe": True}
