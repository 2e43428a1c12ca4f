"""Counting placements on GPUs."""
