"""Knapsacks."""
