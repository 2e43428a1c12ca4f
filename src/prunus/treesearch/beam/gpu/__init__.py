"""Forward beams on GPUs: level after level without the host between them."""
