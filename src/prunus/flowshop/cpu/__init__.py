"""The flow-shop tree on cores."""
