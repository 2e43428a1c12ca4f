"""Local search beside whatever else is done: a team of cores in threads of their own."""

from __future__ import annotations

from prunus.atsp.heuristics.tour_team import TourTeam
from prunus.hardware.threads import start_task

__all__ = ["BackgroundSearch"]


class BackgroundSearch:
    """Rounds of a team, one after another, until it is closed.

    Parameters
    ----------
    team
        Belongs to the background from now on, but for its length and whether it is saturated.
    cores
        How many of its cores work; may be changed at any time.
    """

    def __init__(self, team: TourTeam, cores: int) -> None:
        self.team, self.cores = team, cores
        self._closing = False
        self._task = start_task(self._work)

    def _work(self) -> None:
        while not self._closing:
            self.team.round(cores=self.cores)

    @property
    def failed(self) -> bool:
        """Whether it ended by itself, which only an error makes it do."""
        return not self._closing and not self._task.running

    def close(self) -> None:
        """End it; raises what it may have raised."""
        self._closing = True
        while self._task.running:
            self.team.interrupt()
            self._task.join(0.02)
        self._task.result()
