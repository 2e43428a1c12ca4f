"""What a command says: answers on standard output, all else in a sentence on standard error."""

from __future__ import annotations

import os
import signal
import sys

import typer
from rich.console import Console
from rich.text import Text

from prunus.display import console_in_use

__all__ = ["answer", "error", "hint", "notice"]


def answer(words: str, end: str = "\n") -> None:
    """Print an answer.

    Raises
    ------
    typer.Exit
        If whoever read it has gone, as ``| head`` does; with the code a shell gives for that.
    """
    try:
        print(words, end=end, flush=True)
    except BrokenPipeError:
        # What is still buffered has no reader; without this Python complains when it shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(128 + signal.SIGPIPE) from None


def error(sentence: str) -> None:
    """Say in red what is wrong."""
    _say("error: ", sentence, "red")


def notice(sentence: str) -> None:
    """Say in yellow what is worth knowing."""
    _say("notice: ", sentence, "yellow")


def hint(label: str, words: str) -> None:
    """Say what can be done next."""
    _say(label, words, "cyan")


def _say(label: str, sentence: str, style: str) -> None:
    # Made anew each time: standard error may have been redirected since. Where a live panel is
    # drawn only its own console can print without tearing it.
    console = console_in_use() or Console(file=sys.stderr)
    words = Text.assemble((label, f"bold {style}"), (sentence, style))
    # Never broken into lines, so that a log keeps one sentence in one line.
    console.print(words, soft_wrap=True, highlight=False, markup=False)
