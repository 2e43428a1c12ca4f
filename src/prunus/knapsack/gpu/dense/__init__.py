"""The dense recursion on one GPU or several.

- `method`: the optimum, the items, or the optima of all capacities.
- `passes`: the items, put into passes, and their order; `kernels`: the CUDA kernels, cut to a
  device, and what a pass may hold; `structures`: what the host and they share.
- `partition`: passes cut into phases, between which devices exchange cells, and each row cut among
  devices; `sweep`: running them, and the way back from a cell.
"""
