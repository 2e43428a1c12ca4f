"""Good solutions of users' problems without a proof: a dive, local search, beams."""
