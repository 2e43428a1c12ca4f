"""How often a device that fails may try again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from prunus.treesearch.scheduler.team_state import WENT_BACK, TeamState


def a_member(failed: str | None = None) -> Any:
    return SimpleNamespace(failed=failed, recoveries_left=2, idle=True, clear=lambda: None)


def test_a_device_that_keeps_failing_is_left_out_after_two_more_tries() -> None:
    """The search goes back as often as anybody is left, and the sentence is said once."""
    broken, sound = a_member(), a_member()
    team = TeamState([broken, sound])
    team.failures.append("cuda:0 fell off the bus")
    for chance in (True, True, False, False):
        broken.failed, team.in_doubt = "cuda:0 fell off the bus", True
        assert team.recover()
        assert (broken.failed is None) == chance
        assert not team.in_doubt
    assert team.failures == ["cuda:0 fell off the bus" + WENT_BACK]


def test_without_anybody_left_there_is_no_way_back() -> None:
    """When all have used up their chances the search ends with its failure."""
    lost = a_member("cuda:0 fell off the bus")
    lost.recoveries_left = 0
    team = TeamState([lost])
    assert not team.recover()


def test_all_that_failed_devices_left_is_taken_up() -> None:
    """Whoever takes up orphaned work takes every one, and counts as being at work."""
    taken: list[Any] = []
    heir = a_member()
    heir.load = lambda *parts: taken.extend(parts)
    team = TeamState([heir])
    team.orphaned_work = ["left by cuda:0", "left by cuda:1", "more of it"]  # type: ignore[list-item]
    team.adopt(heir)
    assert taken == ["left by cuda:0", "left by cuda:1", "more of it"]
    assert (team.orphaned_work, team.working, heir.idle) == ([], 1, False)
