"""The command line: ``prunus solve``, ``resume``, ``generate``, ``bench`` and ``info``."""

from prunus.cli.entry import main

__all__ = ["main"]
