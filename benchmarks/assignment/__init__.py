"""Linear assignment."""
