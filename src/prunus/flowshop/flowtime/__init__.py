"""Total flow time, Fm | prmu | sum Cj: what a node of the tree is, heuristics, beams, the methods.

The schedule is fixed from its beginning on: the completion times of the jobs that come first are
known, and those of the others are bounded.
"""
