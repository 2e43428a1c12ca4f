"""N-Queens: count all placements, as independent tasks that any device can sweep."""
