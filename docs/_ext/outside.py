"""Pages that stand outside ``docs/`` become part of the site, and links between all pages hold.

The change log, the guide for contributors, the security policy and the notes of the benchmarks are
read where they stand; a copy of each with its links adjusted is put into ``docs/project`` for
Sphinx, which reads one folder only.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

DOCS = Path(__file__).parents[1]
ROOT = DOCS.parent
COPIES = DOCS / "project"
LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#|/)([^)#\s]+)")


def pages() -> dict[Path, Path]:
    """Where each page outside stands, and where its copy goes."""
    named = ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]
    found = [ROOT / name for name in named] + sorted((ROOT / "benchmarks").rglob("*.md"))
    return {page: COPIES / page.relative_to(ROOT) for page in found}


def relinked(text: str, page: Path, place: Path) -> str:
    """Adjust the links of a page so that they hold at another place, with the copies as targets."""
    copies = pages()

    def target(link: re.Match[str]) -> str:
        path = (page.parent / link[1]).resolve()
        path = path / "README.md" if path.is_dir() else path
        return Path(os.path.relpath(copies.get(path, path), place.parent)).as_posix()

    return LINK.sub(target, text)


def copy(app: Sphinx, config: Config) -> None:
    """Write the copies that are not there yet or out of date."""
    for page, place in pages().items():
        text = relinked(page.read_text("utf-8"), page, place)
        if not place.exists() or place.read_text("utf-8") != text:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, "utf-8")


def relink(app: Sphinx, docname: str, source: list[str]) -> None:
    """Point the links of the pages in ``docs/`` to the copies."""
    page = Path(app.env.doc2path(docname))
    if page.suffix == ".md" and not page.is_relative_to(COPIES):
        source[0] = relinked(source[0], page, page)


def setup(app: Sphinx) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("config-inited", copy)
    app.connect("source-read", relink)
    return {"parallel_read_safe": True}
