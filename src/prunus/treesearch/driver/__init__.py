"""The course of a search: first incumbents, targets that climb, what is kept and proven."""
