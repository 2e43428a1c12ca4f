"""Counting placements on cores."""
