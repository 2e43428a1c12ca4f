"""What is solved: from a problem to no more rows than columns, benefits, exact numbers."""
