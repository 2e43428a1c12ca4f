"""Sentences on standard error, in colour where it is a terminal: imported for the first of them."""

from __future__ import annotations

import sys
from contextlib import suppress

from rich.console import Console
from rich.text import Text

from prunus.cli.streams import drop_the_rest
from prunus.view.display import console_in_use


class _Stderr(Console):
    """A console whose reader may leave: the answer on standard output goes on."""

    def on_broken_pipe(self) -> None:
        """Say no more; rich would end the process, and standard output with it."""
        self.quiet = True
        drop_the_rest(sys.stderr)


def say(label: str, sentence: str, style: str) -> None:
    """Say a sentence after a label."""
    if sys.stderr is None:
        return
    # Made anew each time: standard error may have been redirected since. Where a live panel is
    # drawn only its own console can print without tearing it.
    console = console_in_use() or _Stderr(file=sys.stderr)
    words = Text.assemble((label, f"bold {style}"), (sentence, style))
    # Nobody may be there to hear it: a closed or full standard error costs no answer.
    try:
        # Broken into lines only on a terminal, so that a log keeps one sentence in one line.
        console.print(words, soft_wrap=not console.is_terminal, highlight=False, markup=False)
    except (OSError, ValueError):
        with suppress(OSError, ValueError):  # closed, or a program's own
            drop_the_rest(sys.stderr)
