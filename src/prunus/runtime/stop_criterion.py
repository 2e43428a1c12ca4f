"""What may stop a solve from outside: any callable from its progress to a truth value."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from prunus.runtime.progress import Progress


@runtime_checkable
class StoppingCriterion(Protocol):
    """Decides from the progress of a search whether it should stop."""

    def __call__(self, progress: Progress, /) -> bool:
        """Return True to stop the search."""
        ...


def describe(criterion: object) -> str:
    """Return the words that say which criterion stopped a search.

    Parameters
    ----------
    criterion
        A criterion of `prunus.stop` (its ``str``), or any callable (its name).

    Returns
    -------
    str
        Words without a full stop.
    """
    if type(criterion).__str__ is not object.__str__:
        return str(criterion)
    name = getattr(criterion, "__name__", None) or type(criterion).__name__
    return f"stopping criterion {name.strip('<>')}"
