"""Two sorted lists of sums, and the staircase that a search walks."""

import matplotlib.pyplot as plt
import numpy as np

first = np.array(sorted({0, 3, 8, 11, 14, 17, 22, 25}))
second = np.array(sorted({0, 5, 9, 13, 14, 18, 22, 27}))
target = 36
row, column, path = 0, len(second) - 1, []
while row < len(first) and column >= 0:
    path.append((column, row))
    total = first[row] + second[column]
    if total == target:
        break
    if total < target:
        row += 1
    else:
        column -= 1

figure, axes = plt.subplots(figsize=(4.6, 4.2), layout="constrained")
sums = first[:, None] + second[None]
axes.imshow(sums, cmap="Blues", alpha=0.5)
for i in range(len(first)):
    for j in range(len(second)):
        weight = "bold" if sums[i, j] == target else "normal"
        axes.text(j, i, sums[i, j], ha="center", va="center", fontsize=8, weight=weight)
axes.plot(*zip(*path, strict=True), color="tab:red", linewidth=2)
axes.set_xticks(range(len(second)), second)
axes.set_yticks(range(len(first)), first)
axes.set(xlabel="sums of the second half", ylabel="sums of the first half")
axes.set_title(f"target {target}: {len(path)} of {sums.size} sums looked at")
