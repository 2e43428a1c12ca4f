"""The dense recursion in one array, for tables of which two do not fit in the memory of a GPU."""
