"""Good tours without a proof."""
