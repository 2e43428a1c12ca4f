"""The contract between a problem's solver and the rest of the library.

A solver is a module, named by its problem's spec and imported when it is wanted, with these two
functions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol, TypeVar

from prunus.hardware.devices import Devices
from prunus.model.spec import OptionValue
from prunus.runtime.monitor import Monitor
from prunus.runtime.outcome import Outcome

P_contra = TypeVar("P_contra", contravariant=True)
"""The class of the problem."""

S = TypeVar("S")
"""The settings: a frozen record of the solver's own."""


class Solver(Protocol[P_contra, S]):
    """What solves one class of problems."""

    def settings(
        self, problem: P_contra, options: Mapping[str, OptionValue], *, method: str | None
    ) -> S:
        """Turn options, checked one by one and complete, into the solver's settings.

        Raises ``OptionError`` if some of them do not go together, or not with this instance.
        """
        ...

    def run(
        self, problem: P_contra, settings: S, devices: Devices, monitor: Monitor, seed: int
    ) -> Outcome:
        """Solve an instance as well as the monitor allows.

        It offers what it finds to ``monitor.incumbent``, polls ``monitor`` in the thread that
        called it at least eight times a second, and anything else it starts polls
        ``monitor.stop_token``. It goes on from ``monitor.resumed``, if there is such, and hands the
        state to ``monitor.checkpoint_writer``. It returns what it has when it is asked to stop,
        with the reason, and does not raise for that.

        Raises ``InputError`` if the problem cannot be solved as the settings want it;
        ``DeviceError`` if a device that was asked for by name cannot be used.
        """
        ...
