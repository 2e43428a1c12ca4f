"""The flow-shop tree on GPUs."""
