"""Options that all tree searches share, as their problems declare them."""

from __future__ import annotations

from enum import StrEnum

from prunus.model.spec import OptionSpec


class StealingPolicy(StrEnum):
    """How work moves between devices.

    Attributes
    ----------
    POWER
        By relative power; weak devices join late.
    HALF
        The paper's: everybody may ask everybody, and gets half.
    NONE
        No stealing, to measure what it brings.
    """

    POWER = "power"
    HALF = "half"
    NONE = "none"


class Proof(StrEnum):
    """How a tree search goes about a proof.

    ``AUTO`` begins with ``DIRECT`` and turns to ``CLIMB`` if that takes long.
    """

    AUTO = "auto"
    DIRECT = "direct"
    CLIMB = "climb"


STEALING = OptionSpec(
    name="stealing",
    meaning="How devices share work: by their speeds, by halves, or not at all.",
    choices=tuple(StealingPolicy),
    default=StealingPolicy.POWER,
)

PROOF = OptionSpec(
    name="proof",
    meaning="Whether to search everything below the incumbent (direct), or below a target that "
    "is raised from the lower bound until there is a solution (climb).",
    choices=tuple(Proof),
    default=Proof.AUTO,
    default_below=Proof.DIRECT,
    when_counting=False,
)
