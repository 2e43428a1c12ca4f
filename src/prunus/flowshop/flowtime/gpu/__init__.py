"""The tree of total flow times on GPUs."""
