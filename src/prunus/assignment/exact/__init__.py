"""The exact method on cores.

- `optimum`: which way for a matrix, in which arithmetic; `dense`: when whole rows.
- `solver`: the way by candidate lists, step by step.
- `lists/`: candidate lists, an auction, paths.
- `sparse/`: lists of all allowed pairs; `ranked/`: lists that a GPU makes.
- `dual_bound`: what prices prove; `augmentation`: the last step of every path.
"""
