"""Checkpoints: what a stopped or killed search needs to go on, in a file that can be trusted."""

from prunus.runtime.checkpoint.keeper import EVERY, Keeper
from prunus.runtime.checkpoint.lock import FileLock
from prunus.runtime.checkpoint.state import Checkpoint, read_checkpoint

__all__ = ["EVERY", "Checkpoint", "FileLock", "Keeper", "read_checkpoint"]
