"""The recursion over all capacities, on cores."""
