"""Pictures of answers: the schedule, the board, the course of a search. Needs the extra [plot].

Each function draws into the axes it is given, or into a figure of its own, and returns the axes.
"""

from prunus.plot.board import board
from prunus.plot.figure import check_target, save
from prunus.plot.gantt import gantt
from prunus.plot.history import history

__all__ = ["board", "check_target", "gantt", "history", "save"]
