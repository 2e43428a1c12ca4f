"""Everything that improves a solution or its bound, side by side on the cores, until one is proven.

Heuristics, beams, the tree and a lower bound raised from below are activities that work in slices.
A portfolio gives each its share of the cores; who gets how much is decided by how large the tree
seems to be.
"""
