"""Deep greedy switching on cores: quick starts, exchanges, prices that bound them."""
