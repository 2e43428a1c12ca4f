"""The explorer of one core: a tree as it sees it, and the compiled search."""
