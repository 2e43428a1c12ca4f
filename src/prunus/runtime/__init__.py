"""What a solve is made of while it runs: its clock, limits, incumbent, monitor and outcome."""
