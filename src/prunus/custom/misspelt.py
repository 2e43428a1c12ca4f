"""Attributes of a user's class that are misspelt, and would do nothing without a word.

A name alone says little: ``found`` and ``bounds`` resemble ``bound``, and are good names of one's
own. What is refused is also of the kind that the attribute has: a truth value, or a function with
as many parameters.
"""

from __future__ import annotations

import inspect

ATTRIBUTES = (
    *("maximise", "counts_solutions", "bits", "objective_name"),
    *("root", "descend", "feasible", "bound", "guide", "evaluate", "first_solutions"),
)
"""What a class may have."""

_SYNONYMS = {
    **dict.fromkeys(("maximize", "maximization", "maximisation"), "maximise"),
    **dict.fromkeys(("count_solutions", "counts", "counting"), "counts_solutions"),
    "is_feasible": "feasible",
    "lower_bound": "bound",
}

SIMILAR = 0.8
"""Two names that are so much alike (by `difflib`) are taken for the same one, misspelt."""


def parameters_of(name: str, *, repeating: bool) -> tuple[str, ...]:
    """Return what a function of a class takes; ``repeating`` says whether values occur again."""
    match name:
        case "root":
            return "data", "state"
        case "descend":
            return "data", "state", "depth", "value" if repeating else "item"
        case "evaluate":
            return "self", "solution"
        case "first_solutions":
            return ("self",)
    return ("data", "state", "depth") if repeating else ("data", "state", "free", "depth")


def resembled(name: str, value: object, *, repeating: bool) -> str | None:
    """Return what an attribute looks like that the library does not know; None for its own."""
    if name.startswith("_") or name in ATTRIBUTES:
        return None
    folded = name.lower()
    from difflib import SequenceMatcher

    alike = {other: SequenceMatcher(None, folded, other).ratio() for other in ATTRIBUTES}
    meant = _SYNONYMS.get(folded) or max(alike, key=alike.__getitem__)
    if folded not in _SYNONYMS and alike[meant] < SIMILAR:
        return None
    return meant if _is_of_its_kind(meant, value, repeating) else None


def _is_of_its_kind(meant: str, value: object, repeating: bool) -> bool:
    """Tell whether a value could be that of an attribute."""
    match meant:
        case "maximise" | "counts_solutions":
            return isinstance(value, bool)
        case "bits":
            return isinstance(value, int) and value in (32, 64)
        case "objective_name":
            return isinstance(value, str)
    function = value.__func__ if isinstance(value, staticmethod) else value
    if not inspect.isfunction(function):
        return False
    return len(inspect.signature(function).parameters) == len(
        parameters_of(meant, repeating=repeating)
    )
