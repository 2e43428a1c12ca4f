"""The unit of work: intervals of the leaves of a tree, how long they are, how they travel."""
