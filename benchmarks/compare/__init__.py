"""prunus beside other solvers, on the same instances: ``python -m benchmarks compare``."""
