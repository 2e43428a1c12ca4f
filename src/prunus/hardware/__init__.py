"""The machine: devices, threads that are kept, executors, memory."""
