"""What a module of a file format offers, and how sure it is that a file is in its format."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Protocol

from prunus.files.textfile import TextFile


class Evidence(IntEnum):
    """What the content of a file says about its format.

    Attributes
    ----------
    NONE
        It is something else.
    POSSIBLE
        Nothing speaks against it. It is read so if the user says what the file holds.
    LIKELY
        The shape fits. It is read so unless another problem is as likely.
    COUNTED
        The shape fits, and the numbers that the file announces are all there.
    CERTAIN
        A keyword or a heading says so.
    """

    NONE = 0
    POSSIBLE = 1
    LIKELY = 2
    COUNTED = 3
    CERTAIN = 4


@dataclass(frozen=True, slots=True)
class Request:
    """What is wanted of a file."""

    index: int | None = None
    """Which of several instances, from 1; None for the only one."""
    layout: str | None = None
    """What a row of a matrix stands for, one of the problem's layouts; None to let the file say."""


ANYTHING = Request()
"""The only instance, as the file says."""


class FormatModule(Protocol):
    """A module that reads and writes one format."""

    def recognises(self, file: TextFile) -> Evidence:
        """Tell how likely it is that a file is in this format."""

    def loads(self, file: TextFile, request: Request = ANYTHING) -> Any:
        """Read the problem; raise ``InputError`` that names the line if something is wrong."""

    def dumps(self, problem: Any, separator: str = ",") -> str:
        """Write a problem; raise ``InputError`` if the format cannot hold it."""
