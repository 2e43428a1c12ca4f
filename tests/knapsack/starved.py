"""Searches of small instances that go through what only large ones need."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from prunus.knapsack import search, solver
from prunus.knapsack.solve_state import SolveState
from prunus.knapsack.tuning import DEFAULT


def starved(first=-1000, second=10, plain=10, *, shortcuts=False, **more):
    """Tuning that gives each try of the core few states, and changes what else is wanted.

    Without shortcuts no lattice rounds bounds down, and nothing is decided from the outside in.
    """
    few = replace(
        DEFAULT.search,
        first_states=first,
        counted_states=second,
        third_states=second,
        one_list_states=plain,
        lattice=shortcuts,
        outside_in=shortcuts,
        **more,
    )
    return replace(DEFAULT, search=few)


def outcome_of(state, method, **more):
    """Search by a method; return the outcome."""
    search.KnapsackSearch(state).run(method, **more)
    return state.outcome()


def tune(monkeypatch, tuning):
    """Let `solve` use some tuning."""
    monkeypatch.setattr(solver, "SolveState", partial(SolveState, tuning=tuning))


def starve(monkeypatch, first=-1000, second=10, plain=10, *, shortcuts=False, **more):
    """Let `solve` give each try few states, mostly without shortcuts; return the tuning."""
    tuning = starved(first, second, plain, shortcuts=shortcuts, **more)
    tune(monkeypatch, tuning)
    return tuning
