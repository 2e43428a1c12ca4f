"""The rounds of an ascent: how each steps, and when they are over."""

from __future__ import annotations

from typing import NamedTuple

STEP_LENGTHS = (1.0, 0.7, 0.5, 0.3)
"""Of the steps in each round, in Polyak's; then from the first one on again."""

PATIENCE = (10, 10, 30)
"""Steps without a better bound after which they become shorter, in each round; then the last."""

LEAST_GAIN, IDLE_ROUNDS = 0.01, 2
"""There are no more rounds after so many in a row that have not filled such a part of the gap."""


class StepRule(NamedTuple):
    """How an ascent steps."""

    steps: int
    """How many, at most."""
    length: float
    """Of a step, in Polyak's."""
    patience: int
    """After so many steps without a better bound they become shorter."""


class Rounds:
    """The rounds of an ascent of so many steps each: four, and more as long as they pay."""

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self._done = 0
        self._idle = 0

    @property
    def done(self) -> bool:
        """Whether all rounds are over."""
        return self._done >= len(STEP_LENGTHS) and self._idle >= IDLE_ROUNDS

    def next(self) -> StepRule:
        """Begin a round: return how it steps."""
        length = STEP_LENGTHS[self._done % len(STEP_LENGTHS)]
        patience = PATIENCE[min(self._done, len(PATIENCE) - 1)]
        self._done += 1
        return StepRule(self._steps, length, patience)

    def note(self, before: int, after: int, aim: int) -> None:
        """Note how a round has raised the bound, which shall come to ``aim``."""
        pays = before < aim and after - before >= max(1, LEAST_GAIN * (aim - before))
        self._idle = 0 if pays else self._idle + 1
