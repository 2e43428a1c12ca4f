"""What beams on cores are made of."""
