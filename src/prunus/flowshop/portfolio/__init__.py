"""The portfolio of a flow shop: iterated greedy, beams on cores and GPUs, and the tree."""
