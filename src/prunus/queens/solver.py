METHODS = ("bitmask",)
