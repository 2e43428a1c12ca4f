"""Subset sum: four lists by residues, two sorted lists, bit sets, and lattice reduction."""
