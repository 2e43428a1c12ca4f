"""All errors that users can do something about.

Each error is one sentence that names what is wrong and what to do. Anything else that escapes
from the library is a bug.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import TypeAlias

Spelling: TypeAlias = Callable[[str, object], str]
"""How an option is written: given its name, and its value or ``...`` for the option as such."""


def as_keyword(name: str, value: object) -> str:
    """Write an option as Python has it: ``time_limit=-1``, or ``time_limit`` alone."""
    if value is ...:
        return name
    try:
        return f"{name}={value!r}"
    except ValueError:  # an int of thousands of digits
        return f"{name} of thousands of digits"


class PrunusError(Exception):
    """Base of every error that the library raises on purpose."""

    def __str__(self) -> str:
        """Return the sentence; a value that it quotes takes no lines and no screens."""
        return sentence(self.told(as_keyword))

    def told(self, spell: Spelling) -> str:
        """Return the sentence with options written in another way than as keywords.

        Parameters
        ----------
        spell
            Writes an option.

        Returns
        -------
        str
        """
        return super().__str__()


def printable(words: str) -> str:
    """Return a text with escapes for what cannot be printed: it may be an order to the terminal."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in words)


def sentence(words: str) -> str:
    """Return words that may quote what a user gave, of any size and with any characters, in a line.

    What cannot be printed is written as an escape: it may be an order to the terminal. Of what is
    very long the beginning and the end are kept.
    """
    words = " ".join(line.strip() for line in words.splitlines())
    words = printable(words)
    return words if len(words) <= _MOST else f"{words[: _MOST - _END]} … {words[-_END:]}"


_MOST, _END = 600, 200
"""Characters of a sentence, and of its end where it is longer."""


class InputError(PrunusError, ValueError):
    """A value, a file, a name or an option is invalid."""


class OptionError(InputError):
    """An option is not known, has a value that it cannot have, or does not fit the rest.

    Parameters
    ----------
    option
        The keyword that it has in Python.
    reason
        What is wrong, reading on after the option: ``"is not an integer"``. ``{kind:flowshop}`` in
        it stands for the option ``kind`` with the value ``flowshop``.
    value
        The value that was given, where the sentence begins with it; ``...`` begins it with the
        option and a colon.
    where
        The file with which the sentence begins instead of the option.
    unknown
        Of which there is no such option: ``"a flow shop"``. The sentence then begins with that.
    """

    def __init__(
        self,
        option: str,
        reason: str,
        value: object = ...,
        *,
        unknown: str | None = None,
        where: str | None = None,
    ) -> None:
        super().__init__(option, reason)
        self.option, self.reason, self.value = option, reason, value
        self.unknown, self.where = unknown, where

    def told(self, spell: Spelling) -> str:
        mentioned = re.compile(r"\{([a-z_]+)(?::([^{}]+))?\}")
        reason = mentioned.sub(lambda m: spell(m[1], m[2] or ...), self.reason)
        if self.unknown is not None:
            spelt = spell(self.option, ...)
            quoted = repr(spelt) if spelt == self.option else spelt
            return f"{self.unknown} has no option {quoted}{reason}"
        if self.where is not None:
            return f"{self.where}: {reason}"
        mark = ":" if self.value is ... else ""
        return f"{spell(self.option, self.value)}{mark} {reason}"

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by building anew: workers send errors to the coordinator."""
        build = partial(type(self), unknown=self.unknown, where=self.where)
        return build, (self.option, self.reason, self.value)


class DeviceError(PrunusError, RuntimeError):
    """A requested device does not exist, is too old, or failed."""


class MissingExtraError(PrunusError, ImportError):
    """An optional dependency is not installed."""


class DisagreementError(AssertionError):
    """A search and the plain evaluation differ about a solution: one of the two is at fault."""

    def __init__(self, found: int, plain: int | float) -> None:
        super().__init__(found, plain)
        self.found, self.plain = found, plain

    def __str__(self) -> str:
        return f"the search found objective {self.found}, plain evaluation says {self.plain}"


def missing_extra(what: str, extra: str) -> MissingExtraError:
    """Build the sentence for a missing optional dependency.

    ``what`` needs the dependency, e.g. ``"drawing a schedule"``; ``extra`` is the name of the extra
    that brings it.
    """
    return MissingExtraError(
        f"{what} needs the extra [{extra}] of prunus; install it with: pip install "
        f"'prunus[{extra}]', or in a checkout: pip install '.[{extra}]'"
    )
