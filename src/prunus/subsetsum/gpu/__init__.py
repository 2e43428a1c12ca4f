"""Subset sum on GPUs: the four lists, the two lists, the bit set."""
