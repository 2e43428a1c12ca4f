"""All devices of one machine on one tree: one thread a device, work stealing, termination."""
