"""Beam search: a tree is gone through level by level, and of each level the best nodes are kept.

A problem says what a level is and what its nodes are ordered by; here stands what they have in
common: beams of growing width, on whatever device, and the forward beam of any tree of items.
"""
