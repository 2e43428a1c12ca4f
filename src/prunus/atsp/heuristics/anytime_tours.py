"""Local search as long as a limit lasts: beside everything else on several cores, else by turns."""

from __future__ import annotations

import time
from collections.abc import Callable

from prunus.atsp.heuristics.tour_team import TourTeam
from prunus.hardware.threads import Task, start_task

FIRST_ROUNDS = 10
"""Of local search on the only core, before the bounds."""

WAITED_S = 0.02
"""Between two questions whether to stop while others work."""

PROVABLE_CITIES = 400
"""Of more cities a core goes on with local search while a tree is searched, which rarely ends."""


class AnytimeTours:
    """A team that improves tours until it is closed.

    The team belongs to this object from now on, but for its length and whether it is saturated.
    With one core, tours improve while this is waited for, so that a seed gives the same tours each
    time; ``should_stop`` is asked between the first rounds.
    """

    def __init__(self, team: TourTeam, cores: int, should_stop: Callable[[], bool]) -> None:
        self.team, self._cores = team, cores
        self._closing = False
        self._task: Task[None] | None = None
        if cores > 1:
            self._task = start_task(self._work)
            return
        for _ in range(FIRST_ROUNDS):
            if should_stop():
                return
            team.round()

    def _work(self) -> None:
        while not self._closing:
            self.team.round(cores=self._cores)

    def wait(self, should_end: Callable[[], bool], *, endless: bool = False) -> None:
        """Improve tours until hardly any better one is to be expected, or without such an end."""
        while (endless or not self.team.saturated) and not should_end():
            if self._task is None:
                self.team.round()
            elif self._task.running:
                time.sleep(WAITED_S)
            else:
                self._task.result()

    def give_cores(self, cities: int) -> int:
        """Leave the cores to the search of a tree; return how many."""
        if self._task is None or cities <= PROVABLE_CITIES:
            self.close()
            return self._cores
        available, self._cores = self._cores, 1
        return available - 1

    def close(self) -> None:
        """End it; raises what it may have raised."""
        self._closing = True
        task, self._task = self._task, None
        if task is None:
            return
        while task.running:
            self.team.interrupt()
            task.join(WAITED_S)
        task.result()
