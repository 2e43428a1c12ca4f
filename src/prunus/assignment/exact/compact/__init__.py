"""The compact kernel: whole rows in float64, nothing set up around it; what is small, and more."""
