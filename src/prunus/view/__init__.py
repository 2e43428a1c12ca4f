"""What people see: words and numbers, how a result reads, the live display."""
