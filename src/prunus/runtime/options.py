"""Options of a solve, given by keyword and checked against what the problem's methods know."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from prunus.errors import InputError

__all__ = ["choose", "refuse_unknown"]


def refuse_unknown(options: Mapping[str, Any], known: Sequence[str], what: str) -> None:
    """Raise a sentence for the first option that ``what`` does not have."""
    for name in options:
        if name not in known:
            close = difflib.get_close_matches(name, known, 1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            listed = ", ".join(known) if known else "none"
            raise InputError(f"{what} has no option {name!r}{hint} (its options: {listed})")


def choose(name: str, value: Any, known: Sequence[str]) -> str:
    """Return an option's value in lower case if it is one of those known, else raise."""
    word = str(value).strip().lower().replace("_", "-")
    if word not in known:
        raise InputError(f"{name}={value!r} is not one of {', '.join(known)}")
    return word
