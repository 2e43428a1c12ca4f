"""``prunus generate``: write a named instance to a file, or list the names there are."""

from __future__ import annotations

import tempfile
import textwrap
from pathlib import Path
from typing import Annotated

from prunus.cli.commands import Argument, Option
from prunus.cli.console import answer
from prunus.instance_names import generators, instance_sets
from prunus.read import read
from prunus.write import format_names, write


def generate(
    name: Annotated[
        str | None,
        Argument(
            metavar="INSTANCE",
            help="ta001 to ta120, crane:12:1, …; without a name, all forms are listed.",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        Option(
            names=("--output", "-o"),
            metavar="FILE",
            help="Write to this file instead of standard output.",
        ),
    ] = None,
    format: Annotated[
        str | None,
        Option(help=f"{', '.join(format_names())}; by default the usual one."),
    ] = None,
) -> None:
    """Write a named instance to a file or to standard output."""
    if name is None:
        answer(_names())
        return
    problem = read(name)
    if output is not None:
        write(problem, output, format=format)
        return
    # Through a file: the writers write whole files, which a pipe is not.
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "instance")
        write(problem, path, format=format)
        answer(path.read_text(encoding="utf-8"), end="")


def _names() -> str:
    rows = [(found.form, found.meaning) for found in instance_sets()]
    rows += [(f"{kind.form}, e.g. {kind.example}", kind.meaning) for kind in generators().values()]
    return "\n".join(f"{form}\n{_indented(meaning)}" for form, meaning in rows)


def _indented(words: str) -> str:
    indent = "    "
    return textwrap.fill(
        words, 80, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )
