"""The expanding core: states and bounds from the break item outwards."""
