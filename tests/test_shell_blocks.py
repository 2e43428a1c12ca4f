"""The shell blocks of the README and of docs/ run, in a folder with the files that they name."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import prunus
from prunus.cli.entry import run
from tests.test_docs import PAGES, ROOT, blocks

NEEDS = {
    "pip install": "the package index",
    ".venv/bin/": "an environment that the block makes",
    ".ci/run": "the whole gate",
    "--dask": "a cluster; tests/cli/test_dask.py has one",
    "#SBATCH": "a cluster with Slurm",
    "dask scheduler": "a cluster; tests/treesearch/distributed has one",
    "mpiexec": "65 processes of MPI",
}
"""What blocks, or single lines of blocks of ``prunus`` commands, need that is not here."""

LONG = ("prunus compile ", "prunus bench ")
"""Commands that take up to a minute."""

FILES = {
    "shop.csv": "job,cutting,milling\ngear,3,2\nshaft,1,4\npin,2,2\n",
    "orders.csv": "job,cutting,milling\ngear,3,2\nshaft,1,4\n",
    "invoices.csv": "invoice,cents\nA-17,3400\nA-18,1250\nB-03,999\ntarget,4500\n",
    "costs.csv": "4,1,3\n2,0,5\n3,2,2\n",
    "workshop.py": """
import prunus


class Delays(prunus.PermutationProblem):
    def __init__(self):
        super().__init__(5, state=1, data={"none": [0]})

    @staticmethod
    def descend(data, state, depth, item):
        state[0] += depth * item

    @staticmethod
    def bound(data, state, free, depth):
        return state[0]

    def evaluate(self, permutation):
        return sum(depth * int(item) for depth, item in enumerate(permutation))


monday = Delays()
""",
}


def commands(page: Path) -> list[str]:
    """Return the lines of a page's shell blocks; scripts for a cluster are left out as a whole."""
    return [
        line
        for block in blocks(page, "sh")
        if not block.startswith(("#!", "umask"))
        for line in block.splitlines()
        if line.strip()
    ]


def reason(line: str) -> str | None:
    """Say what a line needs that is not here."""
    return next((what for word, what in NEEDS.items() if word in line), None)


SHOWING = [page for page in PAGES if not all(map(reason, commands(page)))]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a folder with the files that the pages take for granted."""
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    return tmp_path


def in_a_shell(line: str) -> int:
    """Run a line with pipes; `prunus` is this interpreter's."""
    function = f'prunus() {{ {shlex.quote(sys.executable)} -m prunus "$@"; }}; set -o pipefail; '
    source = str(Path(prunus.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": source}
    return subprocess.run(
        ["bash", "-c", function + line], check=False, stdin=subprocess.DEVNULL, env=environment
    ).returncode


def in_this_process(line: str) -> int:
    """Run a command, on a core instead of GPUs; what would go on for long has a limit."""
    words = shlex.split(line, comments=True)[1:]
    words = ["cpu:1" if word.startswith("cuda") else word for word in words]
    if words[0] in ("solve", "resume") and "--time-limit" not in words:
        words += ["--time-limit", "0.3"]
    return run(words)


def is_slow(line: str) -> bool:
    """Tell whether a line compiles or measures everything."""
    return f"{line} ".startswith(LONG)


def check(page: Path, slow: bool) -> None:
    """Run the lines of a page, each where the ones before have left the folder."""
    for line in commands(page):
        if reason(line) or is_slow(line) != slow:
            continue
        assert line.startswith("prunus "), line
        shown, _, after = line.partition("|")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if after and shutil.which("bash") and ("jq" not in after or shutil.which("jq")):
                code = in_a_shell(line)
            else:
                code = in_this_process(shown)
        assert code in (0, 3, 4), line


@pytest.mark.parametrize("page", SHOWING, ids=lambda page: page.stem)
def test_shell_blocks_run(page: Path, folder: Path) -> None:
    """Every command ends with a proof, or at the limit that the test sets."""
    pytest.importorskip("matplotlib")
    check(page, slow=False)


@pytest.mark.slow
@pytest.mark.parametrize("page", SHOWING, ids=lambda page: page.stem)
def test_commands_that_compile_or_measure_everything(page: Path, folder: Path) -> None:
    """The same for those that take up to a minute."""
    check(page, slow=True)


def test_no_line_is_left_out_without_a_reason() -> None:
    """What is shown in a shell block is a command of prunus, or needs what is named above."""
    for page in [*PAGES, ROOT / "docs" / "tutorials" / "index.md"]:
        for line in commands(page):
            assert line.startswith("prunus ") or reason(line), f"{page.name}: {line}"
