"""Standard streams that nobody reads any more."""

from __future__ import annotations

import errno
import os
import sys
from typing import TextIO


def drop_the_rest(stream: TextIO) -> None:
    """Give what is still buffered a reader; without one Python ends with a code of its own."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def has_no_reader(problem: OSError) -> bool:
    """Tell whether a stream could not be written because its reader has gone."""
    # Windows may call that an invalid argument (Python's issue 19612).
    on_windows = sys.platform == "win32" and problem.errno == errno.EINVAL
    return isinstance(problem, BrokenPipeError) or on_windows
