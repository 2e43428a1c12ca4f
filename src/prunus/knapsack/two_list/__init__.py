"""Two lists of states that grow toward one another, for instances on which one list explodes."""
