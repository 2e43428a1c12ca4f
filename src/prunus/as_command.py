"""``python -m prunus`` is a command from the import of the package on: Ctrl-C is one sentence.

Python imports the package before it runs ``__main__``, which is too late to listen.
"""

import itertools
import sys

__all__: list[str] = []


def _is_command() -> bool:
    """Return whether Python is about to run this package."""
    words = sys.orig_argv
    named = "-mprunus" in words or ("-m", "prunus") in itertools.pairwise(words)
    return sys.argv[:1] == ["-m"] and named


if _is_command():
    import prunus_command

    prunus_command.listen()
