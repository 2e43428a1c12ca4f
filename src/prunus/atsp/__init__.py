"""The asymmetric travelling salesman problem.

- `solver`: which method; `transformations`, `duplicate_cities`: what is solved instead.
- `branch_and_bound`: the default; its bounds are `assignment/` and `arborescence/`, the arcs that
  are left in `graph` and `forced_arcs`.
- `heuristics/`, `first_tours`, `neighbours`: tours without a proof.
- `naive/`: the length of the path as a bound, searched by intervals on cores and GPUs.
"""
