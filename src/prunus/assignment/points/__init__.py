"""Points whose distances are minimised: solved without looking at all pairs."""
