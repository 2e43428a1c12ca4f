"""The knapsack methods on GPUs."""
