"""Searches over many workers: a simulation of up to a thousand GPUs, and what it rests on."""
