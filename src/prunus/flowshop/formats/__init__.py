"""File formats, one a module, and generators of instances."""
