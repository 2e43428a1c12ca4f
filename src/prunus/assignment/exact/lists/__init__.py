"""An auction and shortest augmenting paths over candidate lists, for large matrices."""
