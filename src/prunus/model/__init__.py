"""Validation of input and immutable data: what the classes of all problems are made of."""
