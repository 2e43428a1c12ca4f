"""The core of a knapsack: only items near the break item are in doubt."""

import matplotlib.pyplot as plt
import numpy as np

import prunus

problem = prunus.read("knapsack:weakly:300:1000:50")
result = prunus.solve(problem)
profits, weights = np.asarray(problem.profits), np.asarray(problem.weights)
order = np.argsort(-profits / weights)
rest = problem.capacity - np.cumsum(weights[order])
broken = order[np.argmax(rest < 0)]
ratio = profits[broken] / weights[broken]

chosen = np.isin(np.arange(problem.items), result.solution)
figure, axes = plt.subplots(figsize=(7, 3.4), layout="constrained")
axes.scatter(weights[chosen], profits[chosen], s=10, label="in the optimal choice")
axes.scatter(weights[~chosen], profits[~chosen], s=10, label="not in it")
axes.plot([0, 1000], [0, 1000 * ratio], color="black", label="profit per weight of the break item")
swapped = chosen != (profits > ratio * weights)
axes.scatter(weights[swapped], profits[swapped], s=60, facecolors="none", edgecolors="red")
axes.set(xlabel="weight", ylabel="profit")
axes.legend(loc="upper left")
