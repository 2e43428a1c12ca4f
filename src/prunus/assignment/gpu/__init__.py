"""Linear assignment on a GPU."""
