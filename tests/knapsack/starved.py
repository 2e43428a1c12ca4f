"""Searches of small instances that go through what only large ones need."""

from __future__ import annotations

from prunus.knapsack import search
from prunus.knapsack.search import KnapsackSearch


def starve(monkeypatch, first=-1000, second=10, plain=10, *, shortcuts=False):
    """Give each try of the core few states, and mostly leave out what makes most of it needless.

    Without shortcuts no lattice rounds bounds down, and nothing is decided from the outside in.
    """
    monkeypatch.setattr(search, "_FIRST", first)
    monkeypatch.setattr(search, "_SECOND", second)
    monkeypatch.setattr(search, "_THIRD", second)
    monkeypatch.setattr(search, "_PLAIN", plain)
    if not shortcuts:
        monkeypatch.setattr(search, "lattice_of", lambda w, p: None)
        monkeypatch.setattr(KnapsackSearch, "_outside_in", lambda self, root: False)
