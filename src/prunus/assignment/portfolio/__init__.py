"""What is tried in which order: a portfolio of methods, without a deadline and under one."""
