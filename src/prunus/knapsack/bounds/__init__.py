"""What no choice exceeds, and which items may deviate in a better one."""
