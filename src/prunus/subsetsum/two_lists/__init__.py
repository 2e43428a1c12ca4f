"""Two sorted lists of sums, merged and walked along in chunks, on cores."""
