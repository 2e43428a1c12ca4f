"""Checkpoints: what a stopped or killed search needs to go on, in a file that can be trusted."""

from prunus.runtime.checkpoint.lock import FileLock
from prunus.runtime.checkpoint.state import NOTHING_OPEN, Checkpoint, OpenWork, read_checkpoint
from prunus.runtime.checkpoint.writer import CHECKPOINT_INTERVAL_S, CheckpointWriter

__all__ = [
    "CHECKPOINT_INTERVAL_S",
    "NOTHING_OPEN",
    "Checkpoint",
    "CheckpointWriter",
    "FileLock",
    "OpenWork",
    "read_checkpoint",
]
