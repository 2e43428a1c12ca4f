"""How large a tree is that is being searched: what is left of it, before and while it is."""
