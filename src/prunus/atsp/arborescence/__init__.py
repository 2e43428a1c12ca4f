"""The bound of the ATSP's branch and bound: 1-arborescences with prices, arcs decided by it."""
