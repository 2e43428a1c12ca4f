"""Lower bounds of the makespan."""
