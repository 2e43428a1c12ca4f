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
]


class PrunusError(Exception):
    """Base of every error that the library raises on purpose."""

    def __str__(self) -> str:
        """Return the sentence; a value that it quotes, such as an array, takes no lines."""
        return " ".join(line.strip() for line in super().__str__().splitlines())


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
