"""Asymmetric TSP: first tours, what its tree is."""
