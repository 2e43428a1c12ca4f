"""The leaves of a tree of permutations, and an interval of them."""

from itertools import permutations

import matplotlib.pyplot as plt

n, begin, end = 4, 7, 18
leaves = list(permutations(range(n)))
place = {}
for number, leaf in enumerate(leaves):
    for depth in range(n):
        place.setdefault(leaf[: depth + 1], []).append(number)
place[()] = list(range(len(leaves)))

figure, axes = plt.subplots(figsize=(8, 2.8), layout="constrained")
for node, below in place.items():
    if len(node) == n - 1:
        continue  # one item is left: the same leaf
    x, y = sum(below) / len(below), -min(len(node), n - 1)
    inside = all(begin <= number < end for number in below)
    partly = any(begin <= number < end for number in below)
    colour = "tab:orange" if inside else "tab:blue" if partly else "0.75"
    if node:
        parent = node[:-1] if len(node) < n else node[:-2]
        up = sum(place[parent]) / len(place[parent])
        axes.plot([x, up], [y, -len(parent)], color=colour, linewidth=1, zorder=1)
    axes.plot(x, y, "o", color=colour, markersize=6)
for number, leaf in enumerate(leaves):
    words = "".join("ABCD"[item] for item in leaf)
    axes.text(number, -n + 0.85, words, rotation=90, ha="center", va="top", fontsize=7)
axes.set_ylim(-n + 0.2, 0.3)
axes.set_title(f"the interval [{begin}, {end}): {end - begin} of {len(leaves)} leaves", loc="left")
axes.axis("off")
