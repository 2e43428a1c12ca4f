"""Bellman's recursion over all capacities on cores."""
