"""A search in pieces that any core, GPU or worker can do, and what hands them out."""
