"""A monitor for searches that nobody watches."""

from __future__ import annotations

import math
from typing import cast

from prunus.runtime.interrupts import Interrupts
from prunus.runtime.stop_token import StopToken
from prunus.runtime.translated_monitor import AnyMonitor


class _Watch:
    """What a coordinator asks of a monitor: nothing stops it, and it has all the time there is."""

    time_left = math.inf

    def __init__(self) -> None:
        self.stop_token, self.interrupts = StopToken(), Interrupts()

    def poll(self, phase: str, **_: object) -> bool:
        """Go on."""
        return False


def Watch() -> AnyMonitor:  # noqa: N802
    """Return one."""
    return cast("AnyMonitor", _Watch())
