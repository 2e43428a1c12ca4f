"""The console script: from its first moment on an interrupt is one sentence.

Importing the library takes most of a second, in which Python would answer Ctrl-C with a traceback
from the inside of whatever is being imported. So this module stands outside of the package.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from types import FrameType
from typing import NoReturn

__all__ = ["listen", "main"]

_WORDS = "interrupted before there was anything to show"
_CODE = 130


def listen() -> None:
    """Let an interrupt end the process with one sentence, while there is nothing but imports."""
    signal.signal(signal.SIGTERM, _leave)
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)


def main() -> NoReturn:
    """Import the library and run the command."""
    listen()
    from prunus.cli import main as command

    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    command()


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    """End at once: what is being imported has nothing to put in order."""
    if "--json" in sys.argv:
        os.write(1, (json.dumps({"error": _WORDS, "exit_code": _CODE}) + "\n").encode())
    else:
        os.write(2, f"error: {_WORDS}\n".encode())
    os._exit(_CODE)
