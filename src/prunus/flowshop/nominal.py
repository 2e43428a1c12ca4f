"""How long parts of the work on a flow shop take a core, nominally: by their counts alone."""

from __future__ import annotations


def iteration_ns(jobs: int, machines: int) -> float:
    """Return how long an iteration of iterated greedy takes on a core, nominally."""
    return 5.0 * jobs**2 * machines


def node_ns(jobs: int, machines: int, *, two_machines: bool) -> float:
    """Return how long a node of the tree takes on a core, nominally: with LB2 in places, or not."""
    return (1.0 if two_machines else 0.2) * jobs * machines


def child_ns(machines: int) -> float:
    """Return how long a child in a beam takes on a core, nominally."""
    return 1.7 * machines
