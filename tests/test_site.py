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


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the site as CONTRIBUTING says, but leave the notebooks to test_notebooks.py."""
    for module in ("sphinx", "myst_nb", "numpydoc", "pydata_sphinx_theme", "sphinx_design"):
        pytest.importorskip(module)
    pytest.importorskip("matplotlib")
    folder = tmp_path_factory.mktemp("site")
    python = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going"]
    answer = subprocess.run(
        [*python, "-D", "nb_execution_mode=off", "-d", str(folder / "trees"), "docs", str(folder)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    return folder


def test_links_and_pictures_are_there(site: Path) -> None:
    """Links inside the site lead somewhere, and nothing is loaded from outside."""
    pages = {
        path.resolve(): Page(path) for path in site.rglob("*.html") if "_static" not in path.parts
    }
    missing = []
    for path, page in pages.items():
        outside = [load for load in page.loads if urlsplit(load).scheme not in ("", "data")]
        assert not outside, f"{path}: loads {outside}"
        for link in page.links + page.loads:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = pages.get(target)
            if not target.exists() or (
                parts.fragment and known and unquote(parts.fragment) not in known.anchors
            ):
                missing.append(f"{path.relative_to(site)}: {link}")
    assert not missing


def test_everything_public_has_its_entry(site: Path) -> None:
    """The index of objects has each public name."""
    inventory = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    entries = {line.split()[0] for line in zlib.decompress(inventory).decode().splitlines()}
    public = {
        f"{module.__name__}.{name}"
        for module in (prunus, prunus.plot, prunus.stop)
        for name in module.__all__
        if not name.startswith("_")
    }
    assert public <= entries, sorted(public - entries)


def test_search_finds_words(site: Path) -> None:
    """The index of the search has words of tutorials, guide and reference."""
    text = (site / "searchindex.js").read_text("utf-8")
    assert text.startswith("Search.setIndex(")
    index = json.loads(text.removeprefix("Search.setIndex(").rstrip(";)"))
    assert {"makespan", "checkpoint", "gantt"} <= set(index["terms"]) | set(index["titleterms"])
