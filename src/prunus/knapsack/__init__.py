"""The 0-1 knapsack problem: expanding core and dense dynamic programming."""
