"""The expanding core on cores: a list of states that grows item by item."""
