"""The command line: ``prunus`` with ``solve``, ``resume``, ``bench``, ``compile`` and others."""

from prunus.cli.entry import main

__all__ = ["main"]
