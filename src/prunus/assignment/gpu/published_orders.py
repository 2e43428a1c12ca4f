"""The orders of exchanges as the papers have them, on a GPU, for comparison.

``parallel`` makes all exchanges of a round that do not share a row with one that gains more,
``largest`` the one that gains most. From a random start they are the same in every run.
"""

from __future__ import annotations

from collections.abc import Iterator

from prunus.assignment.gpu.instance import DeviceInstance

_ROUNDS = {"parallel": 8, "largest": 64}
"""Between two looks at whether they are done."""

_ROUND = (
    *("find_exchanges", "clear_claims", "claim_rows", "claim_ties"),
    *("choose_exchanges", "make_exchanges"),
)


def switch_in_rounds(instance: DeviceInstance, order: str) -> Iterator[None]:
    """Switch until no exchange gains anything or the device's deadline; pause often."""
    changed = True
    while True:
        instance.run("begin_slice")
        for name in _ROUND * _ROUNDS[order]:
            instance.run(name)
        before, changed = changed, instance.status()["changed"] > 0
        yield
        if not changed:
            if not before:
                return
            instance.run("mark_all_rows")
