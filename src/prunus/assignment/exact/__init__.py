"""The exact method on cores.

- `optimum`: which way for a matrix, in which arithmetic; `whole_rows`: when the compact kernel.
- `solver`: the way by candidate lists, step by step.
- `compact/`: whole rows in float64; `lists/`: candidate lists, an auction, paths.
- `sparse/`: lists of all allowed pairs; `ranked/`: lists that a GPU makes.
- `dense_paths`: whole rows as published, also in int64; `big_integers`: in Python's integers.
- `dual_bound`: what prices prove; `augmentation`: the last step of every path.
"""
