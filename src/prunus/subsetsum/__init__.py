"""Subset sum: a subset, the closest sum, or the number of subsets.

- `solver`: which method; `cost_model`: what each takes; `reductions`: what is solved instead.
- `four_lists/`: quarters joined residue by residue; `two_lists/`: two sorted lists of sums.
- `pieces/`: both in pieces that any core, GPU or worker can do.
- `dynamic_programming/`: bit sets of sums, for small targets.
- `heuristics/`: first answers, and lattice reduction.
- `gpu/`: the lists and the bit set on GPUs.
"""
