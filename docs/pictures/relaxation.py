"""The assignment relaxation of an ATSP, and the optimal tour."""

import matplotlib.pyplot as plt
import numpy as np

import prunus

rng = np.random.default_rng(11)
places = rng.integers(0, 100, (14, 2))
distances = np.linalg.norm(places[:, None] - places[None], axis=2) * rng.uniform(1, 1.3, (14, 14))
distances = np.rint(distances).astype(int)
tour = prunus.solve(prunus.ATSP(distances))

relaxed = distances.astype(float)
np.fill_diagonal(relaxed, np.inf)
_, successor = prunus.linear_sum_assignment(relaxed)
total = int(relaxed[range(14), successor].sum())

figure, axes = plt.subplots(1, 2, figsize=(8, 3.6), layout="constrained")
following = np.roll(tour.solution, -1)[np.argsort(tour.solution)]
for ax, targets, words in (
    (axes[0], successor, f"assignment relaxation: {total}"),
    (axes[1], following, f"optimal tour: {tour.objective}"),
):
    ax.plot(*places.T, "o", color="black", zorder=3)
    for city, target in enumerate(targets):
        ax.annotate(
            "",
            xy=places[target],
            xytext=places[city],
            arrowprops={"arrowstyle": "->", "color": "tab:blue", "shrinkA": 3, "shrinkB": 3},
        )
    ax.set(title=words, xticks=[], yticks=[], aspect="equal")
axes = axes[0]
