"""How many nodes the search branches with and without symmetries."""

import matplotlib.pyplot as plt

import prunus

sizes = range(8, 14)
figure, axes = plt.subplots(figsize=(6, 3), layout="constrained")
for symmetry in ("none", "mirror", "all"):
    nodes = [prunus.solve(prunus.NQueens(n), symmetry=symmetry, devices="cpu").nodes for n in sizes]
    axes.plot(sizes, nodes, "o-", label=f'symmetry="{symmetry}"')
axes.set_yscale("log")
axes.set(xlabel="n", ylabel="nodes")
axes.legend()
axes.grid(alpha=0.3)
