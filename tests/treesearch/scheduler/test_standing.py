"""How often a device that fails may try again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from prunus.treesearch.scheduler.standing import WENT_BACK, Standing


def a_member(failed: str | None = None) -> Any:
    return SimpleNamespace(failed=failed, chances=2, idle=True, clear=lambda: None)


def test_a_device_that_keeps_failing_is_left_out_after_two_more_chances() -> None:
    """The search goes back as often as anybody is left, and the sentence is said once."""
    broken, sound = a_member(), a_member()
    standing = Standing([broken, sound])
    standing.failures.append("cuda:0 fell off the bus")
    for chance in (True, True, False, False):
        broken.failed, standing.in_doubt = "cuda:0 fell off the bus", True
        assert standing.go_back()
        assert (broken.failed is None) == chance
        assert not standing.in_doubt
    assert standing.failures == ["cuda:0 fell off the bus" + WENT_BACK]


def test_without_anybody_left_there_is_no_way_back() -> None:
    """When all have used up their chances the search ends with its failure."""
    lost = a_member("cuda:0 fell off the bus")
    lost.chances = 0
    standing = Standing([lost])
    assert not standing.go_back()


def test_all_that_failed_devices_left_is_taken_up() -> None:
    """Whoever takes up orphans takes every one, and counts as being at work."""
    taken: list[Any] = []
    heir = a_member()
    heir.load = lambda *parts: taken.extend(parts)
    standing = Standing([heir])
    standing.orphans = ["left by cuda:0", "left by cuda:1", "more of it"]  # type: ignore[list-item]
    standing.adopt(heir)
    assert taken == ["left by cuda:0", "left by cuda:1", "more of it"]
    assert (standing.orphans, standing.running, heir.idle) == ([], 1, False)
