"""The course of a tree search: first incumbents, bounds from both sides, checkpoints, answers."""
