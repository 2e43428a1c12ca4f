"""An optimal assignment and the dual prices that prove it."""

import matplotlib.pyplot as plt
import numpy as np

import prunus

costs = np.random.default_rng(5).integers(10, 60, (7, 7))
rows, columns = prunus.linear_sum_assignment(costs)

# Shortest paths in the residual graph (Bellman and Ford) are optimal prices of the jobs.
job = np.zeros(7)
for _ in range(7):
    agent = costs[rows, columns] - job[columns]
    job = np.minimum(job, (costs - agent[:, None]).min(axis=0))
agent = costs[rows, columns] - job[columns]
reduced = costs - agent[:, None] - job[None]
assert reduced.min() == 0
assert agent.sum() + job.sum() == costs[rows, columns].sum()

figure, axes = plt.subplots(figsize=(4.6, 4.2), layout="constrained")
axes.imshow(reduced, cmap="Blues", alpha=0.6)
for i in range(7):
    for j in range(7):
        chosen = columns[i] == j
        axes.text(
            j,
            i,
            f"{reduced[i, j]:g}",
            ha="center",
            va="center",
            color="tab:red" if chosen else "black",
            weight="bold" if chosen else "normal",
        )
axes.set_xticks(range(7), [f"{price:g}" for price in job])
axes.set_yticks(range(7), [f"{price:g}" for price in agent])
axes.set(xlabel="prices of the jobs", ylabel="prices of the agents")
axes.set_title(f"reduced costs; the prices add up to {agent.sum() + job.sum():g}")
