"""Shortest augmenting paths from ranked lists: the end of a solve whose lists a GPU makes."""
