"""Four quarters joined residue by residue, on cores."""
