"""Checkpoints: what a stopped or killed search needs to go on, in a file that can be trusted."""

from prunus.checkpoint.keeper import EVERY, Keeper
from prunus.checkpoint.lock import FileLock
from prunus.checkpoint.state import Checkpoint, read_checkpoint

__all__ = ["EVERY", "Checkpoint", "FileLock", "Keeper", "read_checkpoint"]
