"""Subset sum."""
