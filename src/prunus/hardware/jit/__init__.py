"""Compiling with Numba: the one place that knows its inside."""
