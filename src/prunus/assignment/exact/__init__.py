"""The exact method on cores.

- `optimum`: which way for a matrix, in which arithmetic; `dense`: when whole rows.
- `solver`: the way by candidate lists, step by step; `sparse`: over lists of all allowed pairs.
- `dual_bound`: what prices prove.
"""
