"""Dynamic programming over sums, for small targets."""
