"""The expanding core on a GPU."""
