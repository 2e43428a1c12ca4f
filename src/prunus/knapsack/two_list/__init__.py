"""The two-list core: a list from the break item outwards and one from the outside inwards meet."""
