"""The site builds without a warning, and every link, picture and public name in it is there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zlib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import prunus
import prunus.plot
import prunus.stop

ROOT = Path(__file__).parents[1]


class Page(HTMLParser):
    """What a page points to, what it loads, and where in it one can point."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if key == "id" and value:
                self.anchors.add(value)
            elif key == "href" and tag == "a" and value:
                self.links.append(value)
            elif (key == "src" or (key == "href" and tag == "link")) and value:
                self.loads.append(value)


@pytest.mark.extras
def test_site(tmp_path: Path) -> None:
    """The site builds as CONTRIBUTING says (notebooks: test_notebooks.py), and nothing is missing.

    One test, so that several workers of pytest do not build it several times.
    """
    for module in ("sphinx", "myst_nb", "numpydoc", "pydata_sphinx_theme", "sphinx_design"):
        pytest.importorskip(module)
    pytest.importorskip("matplotlib")
    python = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going"]
    site = tmp_path / "site"
    answer = subprocess.run(
        [*python, "-D", "nb_execution_mode=off", "-d", str(tmp_path / "trees"), "docs", str(site)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    assert broken_links(site) == []
    assert public_names() <= entries(site), sorted(public_names() - entries(site))
    assert {"makespan", "checkpoint", "gantt"} <= words_of_search(site)


def broken_links(site: Path) -> list[str]:
    """Return the links that lead nowhere inside the site, and what is loaded from outside."""
    files = (path for path in site.rglob("*.html") if "_static" not in path.parts)
    pages = {path.resolve(): Page(path) for path in files}
    assert len(pages) > 50
    broken = []
    for path, page in pages.items():
        broken += [load for load in page.loads if urlsplit(load).scheme not in ("", "data")]
        for link in page.links + page.loads:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = pages.get(target)
            if not target.exists() or (
                parts.fragment and known and unquote(parts.fragment) not in known.anchors
            ):
                broken.append(f"{path.relative_to(site.resolve())}: {link}")
    return broken


def entries(site: Path) -> set[str]:
    """Return the names in the index of objects."""
    inventory = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    return {line.split()[0] for line in zlib.decompress(inventory).decode().splitlines()}


def public_names() -> set[str]:
    """Return what is exported."""
    return {
        f"{module.__name__}.{name}"
        for module in (prunus, prunus.plot, prunus.stop)
        for name in module.__all__
        if not name.startswith("_")
    }


def words_of_search(site: Path) -> set[str]:
    """Return the words that the search finds."""
    text = (site / "searchindex.js").read_text("utf-8")
    index = json.loads(text.removeprefix("Search.setIndex(").rstrip(";)"))
    return set(index["terms"]) | set(index["titleterms"])
