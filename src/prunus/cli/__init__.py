"""The command line: ``prunus`` with ``solve``, ``resume``, ``bench``, ``compile`` and others."""

import sys
from collections.abc import Sequence
from typing import NoReturn

from prunus.hardware import gpu_driver

__all__ = ["main"]


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run a command and leave the process with its exit code."""
    gpu_driver.start_for(sys.argv[1:] if args is None else args)
    from prunus.cli import entry  # imported while the driver starts

    entry.main(args)
