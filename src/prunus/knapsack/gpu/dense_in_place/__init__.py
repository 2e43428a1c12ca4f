"""Tables of which two do not fit, on a GPU."""
