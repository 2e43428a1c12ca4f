"""What is published says the same everywhere: versions, dependencies, files."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import prunus

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_one_version() -> None:
    """The package, its metadata, the citation, the conda recipe and the changes agree."""
    version = PROJECT["project"]["version"]
    assert prunus.__version__ == version
    assert f"\nversion: {version}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert f'version = "{version}"' in (ROOT / "conda" / "meta.yaml").read_text("utf-8")
    first = re.search(r"^## \[(.+?)\]", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert first is not None
    assert first[1] in (version, "Unreleased")


def test_the_recipe_has_the_dependencies() -> None:
    """The conda recipe asks for what the metadata asks for."""
    recipe = (ROOT / "conda" / "meta.yaml").read_text("utf-8")
    for requirement in PROJECT["project"]["dependencies"]:
        name, bounds = re.fullmatch(r"([a-z-]+)(.*)", requirement).groups()  # type: ignore[union-attr]
        assert f"- {name} {bounds}\n" in recipe


def test_the_page_of_the_index_has_no_dead_links() -> None:
    """Links and pictures that need the repository are left out of the published README."""
    page = (ROOT / "README.md").read_text("utf-8")
    for each in PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]["substitutions"]:
        page = re.sub(each["pattern"], each["replacement"], page)
    assert re.findall(r"\]\((?!https?://)", page) == []
    assert "Quickstart · " in page
    assert "prunus.FlowShop(" in page
