"""Good schedules without a proof."""
