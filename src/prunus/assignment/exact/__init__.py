"""The exact method on cores: candidate lists, an auction, shortest augmenting paths."""
