"""Branch and bound over explicit nodes, best bound first, on cores."""
