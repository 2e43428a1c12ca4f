"""Partial placements that are counted independently."""
