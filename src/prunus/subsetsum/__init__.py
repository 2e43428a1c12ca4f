"""Subset sum: a subset, the closest sum, or the number of subsets.

- `solver`: the way of a solve; `reductions`: what is solved instead; `search`: which method, where.
- `sums`: all sums of a few weights; `sum_items`: the items behind one of them.
- `estimates`: what each method takes on the devices of a solve, by `cost_model`.
- `four_lists/`: quarters joined residue by residue; `two_lists/`: two sorted lists of sums.
- `pieces/`: both in pieces that any core, GPU or worker can do.
- `dynamic_programming/`: bit sets of sums, for small targets.
- `heuristics/`: first answers, and lattice reduction.
- `gpu/`: the lists and the bit set on GPUs.
"""
