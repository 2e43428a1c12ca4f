"""Iterated greedy on a GPU: many chains at once, which follow the best of them."""
