"""How compiled code sees an instance: row by row, and the best columns of each."""
