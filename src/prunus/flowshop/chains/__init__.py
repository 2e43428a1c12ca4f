"""Iterated greedy on a GPU: many chains at once, of which good ones are followed."""
