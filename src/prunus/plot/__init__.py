"""Pictures of solutions and of searches. All but `save_schedule` need the extra [plot].

Each function draws into the axes it is given, or into a figure of its own, and returns the axes.
"""

from prunus.plot.board import board
from prunus.plot.figure import check_target, save
from prunus.plot.gantt import gantt
from prunus.plot.gaps import gaps
from prunus.plot.history import history
from prunus.plot.schedule_file import check_schedule_target, save_schedule
from prunus.plot.shares import shares
from prunus.plot.trace import trace

__all__ = [
    "board",
    "check_schedule_target",
    "check_target",
    "gantt",
    "gaps",
    "history",
    "save",
    "save_schedule",
    "shares",
    "trace",
]
