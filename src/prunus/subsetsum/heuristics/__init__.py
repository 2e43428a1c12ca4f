"""First answers that prove nothing."""
