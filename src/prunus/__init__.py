"""prunus: exact combinatorial search on CPU cores and GPUs."""
