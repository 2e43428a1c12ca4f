"""Nodes, lengths and tours of both bounds, and tours of local search."""

import numpy as np

import prunus
from prunus.atsp.heuristics.tour_team import TourTeam


def answers():
    """Return what one core finds."""
    found = []
    for name in ("crane:40:1", "crane:50:3", "tsmat:40:2"):
        for bound in ("auto", "assignment", "arborescence"):
            result = prunus.solve(prunus.read(name), devices="cpu:1", bound=bound)
            found.append([result.nodes, int(result.objective), result.solution.tolist()])
    points = np.random.default_rng(1).integers(0, 1000, (150, 2))
    apart = np.hypot(*(points[:, None] - points).transpose(2, 0, 1))
    for distances in (apart, apart * np.linspace(1, 1.2, 150), apart[::-1]):
        team = TourTeam(prunus.ATSP(distances.astype(np.int64)), np.arange(150), seed=2)
        for _ in range(4):
            team.round()
        found.append([team.length, team.best.tolist()])
    return found
