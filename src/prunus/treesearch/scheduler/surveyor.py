"""The state of a search that goes on: all members look at themselves while no work moves."""

from __future__ import annotations

from prunus.treesearch.model import Work
from prunus.treesearch.scheduler.member import Member, Sight
from prunus.treesearch.scheduler.standing import Standing

__all__ = ["Surveyor"]


class Surveyor:
    """Surveys a team whose threads call ``show`` between slices."""

    def __init__(self, standing: Standing) -> None:
        self._standing = standing

    def survey(self) -> tuple[list[Sight], list[Work]] | None:
        """Have every member take a ``sight`` of itself while no work changes hands.

        Each does so at a moment of its own and goes on at once; together the sights, and the work
        of failed devices that nobody has taken up, are a state that the search could have been
        in. Returns None if the search ends meanwhile.
        """
        standing = self._standing
        with standing.changed:
            standing.surveying = True
            for member in standing.members:
                member.sight = None
        for member in standing.members:
            if not member.idle:
                member.explorer.interrupt()
        try:
            with standing.changed:
                # A gift that was on its way makes its receiver one of those at work before its
                # giver takes a sight, so nothing is missed.
                standing.changed.wait_for(
                    lambda: standing.stopping or all(m.idle or m.sight for m in standing.members)
                )
                if standing.stopping:
                    return None
                sights = [
                    m.sight if m.sight is not None and m.failed is None else m.look()
                    for m in standing.members
                ]
                return sights, standing.orphans.copy()
        finally:
            with standing.changed:
                standing.surveying = False
                standing.changed.notify_all()

    def show(self, member: Member) -> None:
        """Take a sight of a member if there is a survey; in its own thread, between slices."""
        if self._standing.surveying and member.sight is None:
            sight = member.look()
            with self._standing.changed:
                member.sight = sight
                self._standing.changed.notify_all()

    def show_last(self, member: Member) -> None:
        """Do the same for a member that has done all its work; with ``changed`` held."""
        if self._standing.surveying and member.sight is None:
            member.sight = member.look()
