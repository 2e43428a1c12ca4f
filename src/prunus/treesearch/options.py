"""Options that all tree searches share, as their problems declare them."""

from __future__ import annotations

from prunus.model.spec import OptionSpec

__all__ = ["PROOF", "STEALING"]

STEALING = OptionSpec(
    name="stealing",
    meaning="How work moves between devices: by their power, by halves, or not at all.",
    choices=("power", "half", "none"),
    default="power",
)

PROOF = OptionSpec(
    name="proof",
    meaning="Whether to search everything below the incumbent (direct), or below a target that "
    "is raised from the lower bound until there is a solution (climb).",
    choices=("auto", "direct", "climb"),
    default="auto",
    default_below="direct",
    when_counting=False,
)
