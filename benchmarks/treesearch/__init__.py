"""The tree search on several devices, machines, and under sanitizers."""
