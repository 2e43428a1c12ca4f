"""Branch and bound with the assignment bound, re-solved at each node, whose cycles are split."""
