"""The examples and commands in the README and in docs/ work as printed."""

from __future__ import annotations

import ast
import re
import shlex
import textwrap
from pathlib import Path

import pytest

from prunus.cli.app import app_for

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES += [
    page
    for name in ("methods", "migration")
    for page in sorted((ROOT / "docs" / name).glob("*.md"))
]
ELSEWHERE = {
    "torch": "a GPU",
    "cupy": "a GPU",
    "jax": "a GPU",
    "distributed": "a Dask cluster",
    "multiprocessing": "a script of its own",
    "ProcessPoolExecutor(": "a script of its own, or GPUs",
    "lap": "the other library",
    "ortools": "the other library",
    "pyjobshop": "the other library",
}
"""What blocks of Python that are not run (``py`` in place of ``python``) name, and so need."""
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    return [code for kind, code in BLOCK.findall(page.read_text("utf-8")) if kind == language]


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: page.stem
)
def test_python_examples_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python blocks of a page run one after another, in an empty folder."""
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": page.stem}
    for code in blocks(page, "python"):
        exec(compile(code, f"{page.name}", "exec"), names)


def test_python_that_is_not_run_needs_what_is_not_here() -> None:
    """Every block that is exempt is Python, and names the library or the pool that it needs."""
    found = 0
    for page in PAGES:
        # Blocks in lists are indented.
        for code in re.findall(r"^ *```py\n(.*?)^ *```$", page.read_text("utf-8"), re.M | re.S):
            ast.parse(textwrap.dedent(code))
            assert any(re.search(rf"\b{re.escape(word)}", code) for word in ELSEWHERE), code
            found += 1
    assert found > 10


def test_commands_parse() -> None:
    """Every ``prunus`` command that is shown has the options that it is shown with."""
    group = app_for(None)
    found = 0
    for page in PAGES:
        for line in "".join(blocks(page, "sh")).splitlines():
            words = shlex.split(line.partition("|")[0], comments=True)
            if words[:1] != ["prunus"]:
                continue
            found += 1
            with group.make_context("prunus", words[1:]) as context:
                name, command, rest = group.resolve_command(  # type: ignore[attr-defined]
                    context, [*context._protected_args, *context.args]
                )
                if "--help" not in rest:
                    command.make_context(name, rest, parent=context).close()
    assert found > 10


def test_the_readme_has_two_set_up_commands() -> None:
    """Exactly two commands, one line each: the main job, and the tests."""
    commands = blocks(ROOT / "README.md", "sh")
    assert len(commands) == 2
    assert all(command.count("\n") == 1 for command in commands)
    assert commands[0].endswith(".venv/bin/prunus solve ta030\n")
    assert re.search(r"\.venv/bin/pytest( -n \d+)?\n$", commands[1])


def test_ci_runs_the_command_of_the_readme() -> None:
    """The script of the continuous integration takes the test command from the README."""
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    pattern = re.search(r"grep -E '([^']+)' README.md", script)
    assert pattern is not None
    readme = (ROOT / "README.md").read_text("utf-8").splitlines()
    assert [line for line in readme if re.search(pattern[1], line)] == [
        blocks(ROOT / "README.md", "sh")[1].strip()
    ]


def test_links_lead_somewhere() -> None:
    """Links between the pages lead to files that exist, and to headings in them."""
    for page in PAGES:
        for target, heading in re.findall(r"\]\(([^)#:]*)(?:#([^)]+))?\)", page.read_text("utf-8")):
            path = page.parent / target if target else page
            assert path.exists(), f"{page.name}: {target}"
            if heading:
                found = re.findall(r"^#+ (.+)$", path.read_text("utf-8"), re.MULTILINE)
                slugs = [
                    re.sub(r"[^\w\- ]", "", words).lower().replace(" ", "-") for words in found
                ]
                assert heading in slugs, f"{page.name}: {target}#{heading}"


def test_the_table_of_faults_names_tests_that_exist() -> None:
    """Every file and every function that tests/README.md names as a guard is there."""
    tests = ROOT / "tests"
    rows = [
        line for line in (tests / "README.md").read_text("utf-8").splitlines() if "test_" in line
    ]
    found = 0
    for row in rows:
        folder, path = tests, tests
        for place in re.findall(r"`((?:…|[a-z_/]*test_)[^`]*)`", row):
            name, _, function = place.partition("::")
            if name.startswith("…/"):
                path = folder / name[2:]
            elif name != "…":
                path = tests / name
            folder = path.parent
            assert path.is_file(), f"{place}: {path} is missing"
            text = path.read_text("utf-8")
            assert not function or f"def {function}(" in text, f"{place} is missing"
            found += 1
    assert found > 50
