"""Row reduction and shortest augmenting paths where lists hold all allowed pairs."""
