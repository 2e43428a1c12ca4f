"""Items that fall into few classes of nearly equal weight: decide how many of each, then which."""
