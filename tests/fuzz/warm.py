"""Imported by the server that forks worker processes: what they need is loaded before they are."""

from __future__ import annotations

import prunus

prunus.solve(prunus.NQueens(6), devices="cpu:1", symmetry="none")
