"""Linear assignment: deep greedy switching under a deadline, and exact with a dual certificate."""
