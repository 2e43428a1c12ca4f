"""Search of a tree by explorers over node-aligned intervals; it knows no concrete problem."""
