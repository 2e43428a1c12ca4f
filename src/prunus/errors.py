"""Everything that can go wrong for a reason a user can do something about.

Each error is one sentence that names what is wrong and what to do. Anything else that escapes from
the library is a defect of the library.
"""

from __future__ import annotations

__all__ = [
    "DeviceError",
    "DisagreementError",
    "InputError",
    "MissingExtraError",
    "PrunusError",
    "missing_extra",
    "sentence",
]


class PrunusError(Exception):
    """Base of every error that the library raises on purpose."""

    def __str__(self) -> str:
        """Return the sentence; a value that it quotes takes no lines and no screens."""
        return sentence(super().__str__())


def sentence(words: str) -> str:
    """Return words that may quote what a user gave, of any size and with any characters, in a line.

    What cannot be printed is written as an escape: it may be an order to the terminal. Of what is
    very long the beginning and the end are kept.
    """
    words = " ".join(line.strip() for line in words.splitlines())
    words = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in words)
    return words if len(words) <= _MOST else f"{words[: _MOST - _END]} … {words[-_END:]}"


_MOST, _END = 600, 200
"""Characters of a sentence, and of its end where it is longer."""


class InputError(PrunusError, ValueError):
    """A value, a file, a name or an option is not what it must be."""


class DeviceError(PrunusError, RuntimeError):
    """A device was asked for that is not there, is too old, or failed."""


class MissingExtraError(PrunusError, ImportError):
    """An optional dependency is not installed."""


class DisagreementError(AssertionError):
    """A search and the plain evaluation differ about a solution: one of the two is at fault.

    Parameters
    ----------
    found, plain
        The objective that the search found, and that of the plain evaluation.
    """

    def __init__(self, found: int, plain: int | float) -> None:
        super().__init__(found, plain)
        self.found, self.plain = found, plain

    def __str__(self) -> str:
        """Say so."""
        return f"the search found objective {self.found}, plain evaluation says {self.plain}"


def missing_extra(what: str, extra: str) -> MissingExtraError:
    """Build the sentence for a missing optional dependency.

    Parameters
    ----------
    what
        What needs the dependency, e.g. ``"drawing a schedule"``.
    extra
        The name of the extra that brings it.
    """
    return MissingExtraError(
        f"{what} needs the extra [{extra}] of prunus; "
        f"get it with: pip install 'prunus[{extra}]', or in a checkout: pip install '.[{extra}]'"
    )
