"""What a command says: answers on standard output, all else in a sentence on standard error."""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress

import typer
from rich.console import Console
from rich.text import Text

from prunus import errors
from prunus.errors import InputError, PrunusError
from prunus.view.display import console_in_use

__all__ = [
    "READER_GONE",
    "OutputError",
    "answer",
    "drop_the_rest",
    "error",
    "hint",
    "notice",
    "sentence",
]


READER_GONE = 141
"""The exit code a shell gives where nobody reads what is printed any more: 128 + SIGPIPE."""


_OPTION = (
    "(devices|time_limit|upper_bound|initial_solution|seed|method|bound|branching|first_incumbent"
    "|proof|symmetry|objective|stealing|kind|checkpoint|checkpoint_every|format|dask)"
)
_LED_BY = re.compile(rf"^{_OPTION}:")
_GIVEN = re.compile(rf"(?<![\w-]){_OPTION}=('[^']*'|[^\s,;]+)")
_NAMED = re.compile(rf"\boption '{_OPTION}'")
_MADE_AGAIN = re.compile(r"prunus\.resume\(…, problem=\w+\(…\)\)")
_LISTED = re.compile(r" ?\(its options: ([a-z_, ]+)\)")


class OutputError(InputError):
    """Standard output cannot take an answer."""


def answer(words: str, end: str = "\n") -> None:
    """Print an answer.

    Raises
    ------
    typer.Exit
        If whoever read it has gone, as ``| head`` does; with the code a shell gives for that.
    OutputError
        If it cannot be written where it was sent: a full disk.
    """
    try:
        print(words, end=end, flush=True)
    except BrokenPipeError:
        drop_the_rest()
        raise typer.Exit(READER_GONE) from None
    except OSError as problem:
        drop_the_rest()
        reason = (problem.strerror or str(problem)).lower()
        raise OutputError(f"standard output cannot be written: {reason}") from None


def drop_the_rest() -> None:
    """Give what is still buffered a reader; without one Python complains when it shuts down."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def sentence(problem: Exception) -> str:
    """Return what an error that the user can mend says, in one line."""
    if isinstance(problem, OSError) and not isinstance(problem, PrunusError):
        where = f"{problem.filename}: " if problem.filename else ""
        return errors.sentence(f"{where}{(problem.strerror or str(problem)).lower()}")
    return _with_dashes(" ".join(str(problem).split()))


def _with_dashes(words: str) -> str:
    """Write options as the command has them: ``--time-limit -1`` for ``time_limit=-1``."""
    words = _MADE_AGAIN.sub("--problem FILE.py:NAME", words)
    words = _LED_BY.sub(lambda found: f"{_dashed(found[1])}:", words)
    words = _NAMED.sub(lambda found: f"option {_dashed(found[1])}", words)
    words = _LISTED.sub(_own_options, words)
    return _GIVEN.sub(lambda found: f"{_dashed(found[1])} {found[2].strip(chr(39))}", words)


def _own_options(found: re.Match[str]) -> str:
    """List those of a problem's options that the command has."""
    own = [_dashed(name) for name in found[1].split(", ") if re.fullmatch(_OPTION, name)]
    return f" (its options: {', '.join(own)})" if own else ""


def _dashed(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def error(sentence: str) -> None:
    """Say in red what is wrong."""
    _say("error: ", sentence, "red")


def notice(sentence: str) -> None:
    """Say in yellow what is worth knowing."""
    _say("notice: ", _with_dashes(sentence), "yellow")


def hint(label: str, words: str) -> None:
    """Say what can be done next."""
    _say(label, words, "cyan")


class _Stderr(Console):
    """A console whose reader may leave: the answer on standard output goes on."""

    def on_broken_pipe(self) -> None:
        """Say no more; rich would end the process, and standard output with it."""
        self.quiet = True


def _say(label: str, sentence: str, style: str) -> None:
    if sys.stderr is None:
        return
    # Made anew each time: standard error may have been redirected since. Where a live panel is
    # drawn only its own console can print without tearing it.
    console = console_in_use() or _Stderr(file=sys.stderr)
    words = Text.assemble((label, f"bold {style}"), (sentence, style))
    # Nobody may be there to hear it: a closed or full standard error costs no answer.
    with suppress(OSError, ValueError):
        # Never broken into lines, so that a log keeps one sentence in one line.
        console.print(words, soft_wrap=True, highlight=False, markup=False)
