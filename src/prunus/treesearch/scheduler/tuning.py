"""The numbers that steer the scheduler of one machine, each with its unit and where it is from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SchedulerTuning:
    """Times and ratios of a scheduler; measured in ``benchmarks/NOTES-devices.md``."""

    first_slice_s: float = 0.004
    longest_slice_s: float = 0.05
    """Seconds that an explorer runs before its thread looks around, unless it is interrupted: at
    first, and at most; each slice takes twice as long as the one before."""
    short_slice_s: float = 0.0005
    """The same while others wait for this explorer to have work to spare."""
    first_poll_s: float = 0.004
    """Seconds until the caller's function is called first; then ever longer, up to its wish."""
    least_poll_s: float = 0.0005
    """At least, though a time limit is over: its clock may stand still."""
    idle_recheck_s: float = 0.01
    weak_idle_recheck_s: float = 0.1
    """Seconds between two searches for a victim of a member that is not woken; of a core."""
    first_refusal_pause_s: float = 0.0002
    longest_refusal_pause_s: float = 0.005
    """Seconds that a thief waits after a refusal: the first time, and at most."""
    weak_power_ratio: float = 1 / 16
    """A thief is weak if its power is less than this part of its victim's."""
    weak_delay_s: float = 1.0
    """Seconds of a search during which weak thieves leave strong victims alone."""
    weak_interval_s: float = 0.25
    """Seconds between two donations of a strong victim to weak thieves."""
    reserve_power_ratio: float = 1 / 10
    """Weak devices take part if together they have at least this part of the strong ones' power: 15
    cores beside an H200 did 1 % of a long search's nodes and made it 5 % slower."""
    recoveries: int = 2
    """How often a device that failed may take part again."""


DEFAULT_TUNING = SchedulerTuning()
