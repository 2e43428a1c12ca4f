"""Permutation flow shop: bounds, branching, first incumbents, what its tree is."""
