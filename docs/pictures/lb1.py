"""What the one-machine bound adds up at a node of the flow shop."""

import matplotlib.pyplot as plt
import numpy as np

import prunus

times = np.array([[3, 2, 4], [2, 5, 2], [4, 1, 5], [3, 4, 2], [2, 3, 4], [4, 2, 3], [2, 4, 2]])
shop = prunus.FlowShop(times)
head, tail, free = [0, 1], [6], [2, 3, 4, 5]

front = shop.completion_times([*head, *free, *tail])[len(head) - 1]
work = times[free].sum(axis=0)
back = np.array([times[tail[0], k:].sum() for k in range(3)])
bound = (front + work + back).max()

figure, axes = plt.subplots(figsize=(8, 2.6), layout="constrained")
left = np.zeros(3)
for words, width, colour in (
    ("front", front, "skyblue"),
    ("work of the free jobs", work, "moccasin"),
    ("back", back, "lightgreen"),
):
    axes.barh(range(3), width, left=left, color=colour, edgecolor="white")
    for k in range(3):
        middle = left[k] + width[k] / 2
        axes.text(middle, k, f"{words} {width[k]}", ha="center", va="center", fontsize=8)
    left = left + width
axes.axvline(bound, color="black", linestyle="--")
axes.set_yticks(range(3), ["machine 1", "machine 2", "machine 3"])
axes.invert_yaxis()
axes.set_xlabel(f"time; the longest bar is the lower bound, {bound}")
axes.spines[["top", "right", "left"]].set_visible(False)
