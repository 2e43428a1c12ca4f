"""Users' functions compiled, and their trees on cores."""
