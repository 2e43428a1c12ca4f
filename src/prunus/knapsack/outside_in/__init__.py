"""From the outside inwards: how many of the items left are taken is known to be a whole number."""
