"""The command line: ``prunus`` with ``solve``, ``resume``, ``bench``, ``compile`` and others."""

import sys
from collections.abc import Sequence
from typing import NoReturn

from prunus.hardware.gpu_driver import begin_as_told

__all__ = ["main"]


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run a command and leave the process with its exit code."""
    begin_as_told(sys.argv[1:] if args is None else args)
    from prunus.cli import entry  # what the driver need not wait for

    entry.main(args)
