"""The flow shop."""
