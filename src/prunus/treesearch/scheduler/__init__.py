"""All devices of one machine on one tree: who has work, who gets some, how they are looked at."""
