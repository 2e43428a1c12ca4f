"""The permutation flow shop, with the makespan or total flow time.

- `solver`: which method; `portfolio/`: heuristics, beams and the tree side by side.
- `makespan` and `flowtime/`: what the methods ask of an `objective`: its bound, tree, heuristics.
- `cpu/`, `gpu/`, `bounds/`, `rules`: the tree of the makespan.
- `heuristics/`: NEH and iterated greedy on cores; `chains/`: iterated greedy on a GPU.
- `beam/`: beams from both ends of the schedule, on cores and on a GPU.
"""
