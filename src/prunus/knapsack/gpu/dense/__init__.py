"""The dense recursion on one GPU or several."""
