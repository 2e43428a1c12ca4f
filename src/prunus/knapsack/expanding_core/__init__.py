"""The expanding core: dynamic programming with dominance and bounds from the break item outwards."""
