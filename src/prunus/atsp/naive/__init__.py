"""The naive bound: the length of the path so far, searched by intervals on cores and GPUs."""
