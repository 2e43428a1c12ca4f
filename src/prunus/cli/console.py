"""What a command says: answers on standard output, all else in a sentence on standard error."""

from __future__ import annotations

import sys

import click

from prunus import errors
from prunus.cli.streams import drop_the_rest, has_no_reader
from prunus.errors import InputError, PrunusError

READER_GONE = 141
"""The exit code a shell gives where nobody reads what is printed any more: 128 + SIGPIPE."""


class OutputError(InputError):
    """Standard output cannot take an answer."""


def answer(words: str, end: str = "\n") -> None:
    """Print an answer.

    Raises ``click.exceptions.Exit`` if its reader has gone, as ``| head`` does, with the code that
    a shell gives for that, and ``OutputError`` if it cannot be written, on a full disk for example.
    """
    try:
        print(words, end=end, flush=True)
    except OSError as problem:
        drop_the_rest(sys.stdout)
        if has_no_reader(problem):
            raise click.exceptions.Exit(READER_GONE) from None
        reason = (problem.strerror or str(problem)).lower()
        raise OutputError(f"standard output cannot be written: {reason}") from None


def as_dashes(name: str, value: object) -> str:
    """Write an option as the command line has it: ``--time-limit -1``, or ``--time-limit``."""
    dashed = f"--{name.replace('_', '-')}"
    return dashed if value is ... else f"{dashed} {value}"


def sentence(problem: Exception) -> str:
    """Return what an error that the user can mend says, in one line."""
    if isinstance(problem, PrunusError):
        return errors.sentence(problem.told(as_dashes))
    if isinstance(problem, OSError):
        where = f"{problem.filename}: " if problem.filename else ""
        return errors.sentence(f"{where}{(problem.strerror or str(problem)).lower()}")
    return errors.sentence(str(problem))


def error(sentence: str) -> None:
    """Say in red what is wrong."""
    _say("error: ", sentence, "red")


def notice(sentence: str) -> None:
    """Say in yellow what is worth knowing."""
    _say("notice: ", sentence, "yellow")


def hint(label: str, words: str) -> None:
    """Say what can be done next."""
    _say(label, words, "cyan")


def _say(label: str, words: str, style: str) -> None:
    from prunus.cli.standard_error import say

    say(label, words, style)
