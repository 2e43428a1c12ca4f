"""A text file as numbered lines, so that every complaint about it names the file and the line."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from prunus.errors import InputError
from prunus.files.numerals import NotWholeError, fractions_in, whole
from prunus.model.scaling import scaling_hint

MAX_BYTES = 256 * 2**20

_PACKED = b"\x1f\x8b", b"\xfd7zXZ\0", b"PK\x03\x04", b"\x28\xb5\x2f\xfd"
"""What files of gzip, xz, zip and zstd begin with."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is not blank, with its number counted from 1."""

    number: int
    text: str

    @property
    def tokens(self) -> list[str]:
        return self.text.split()


@dataclass(frozen=True)
class TextFile:
    r"""The content of a file."""

    path: str
    """As the user gave it, for messages."""
    text: str
    """Everything, line ends made ``\n``."""

    @classmethod
    def from_text(cls, path: str, text: str) -> TextFile:
        """Take a text with line ends of any system."""
        return cls(path, text.replace("\r\n", "\n").replace("\r", "\n"))

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The lines that are not blank."""
        return tuple(self.numbered())

    def numbered(self) -> Iterator[Line]:
        """Go through the lines that are not blank, without making those that nobody looks at."""
        number, start = 0, 0
        while start <= len(self.text):
            end = self.text.find("\n", start)
            end = len(self.text) if end < 0 else end
            line = self.text[start:end]
            number, start = number + 1, end + 1
            if line and not line.isspace():
                yield Line(number, line)

    @classmethod
    def load(cls, path: str) -> TextFile:
        """Read a UTF-8 text file.

        Raises ``InputError`` if it is missing, unreadable, a directory, empty, too large or not
        text.
        """
        try:
            with open(path, "rb") as stream:
                data = stream.read(MAX_BYTES + 1)
        except FileNotFoundError:
            raise InputError(f"there is no file {path}") from None
        except IsADirectoryError:
            raise InputError(f"{path} is a directory; name a file in it") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise InputError(f"{path} cannot be read: {reason.lower()}") from None
        if len(data) > MAX_BYTES:
            raise InputError(
                f"{path} is larger than {MAX_BYTES >> 20} MiB, the limit for files; pass larger "
                "instances as arrays"
            )
        if data.startswith(_PACKED):
            raise InputError(f"{path} is compressed; unpack it first")
        if b"\0" in data:
            raise InputError(
                f"{path} is not a text file; if it is UTF-16, save it as UTF-8; if it is a table "
                "or an array in another format, load it in Python and pass that"
            )
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            line = data.count(b"\n", 0, error.start) + 1
            raise InputError(
                f"{path}, line {line}: byte 0x{data[error.start]:02x} is not UTF-8 text; "
                f"save the file as UTF-8"
            ) from None
        file = cls.from_text(path, text)
        if not text or text.isspace():
            raise InputError(f"{path} is empty")
        return file

    @property
    def stem(self) -> str:
        """The name of the file without folder and suffix, made printable: names the problem."""
        stem = os.path.splitext(os.path.basename(self.path))[0]
        stem = "".join(character if character.isprintable() else "?" for character in stem)
        return stem if stem.strip() else "instance"

    def error(self, message: str, line: Line | int | None = None) -> InputError:
        """Build the error that names the file and, where there is one, the line."""
        number = line.number if isinstance(line, Line) else line
        where = self.path if number is None else f"{self.path}, line {number}"
        return InputError(f"{where}: {message}")

    def number(self, token: str, line: Line | int) -> int:
        """Read a whole number, whatever its sign."""
        try:
            return whole(token)
        except ValueError as error:
            raise self.no_number(token, error, line) from None

    def no_number(
        self, token: str, why: ValueError, line: Line | int, where: str = ""
    ) -> InputError:
        """Build the error for what is no whole number; by what to multiply the file's decimals."""
        fraction = isinstance(why, NotWholeError)
        hint = scaling_hint(fractions_in(self.text)) if fraction else ""
        return self.error(f"{where}{token[:40]!r} {why}{hint}", line)

    def natural(self, token: str, line: Line | int, what: str) -> int:
        """Read a whole number from 0; `what` says in the message what it stands for."""
        number = self.number(token, line)
        if number < 0:
            raise self.error(f"{what} {number} is negative", line)
        return number

    def positive(self, token: str, line: Line | int, what: str) -> int:
        """Read a whole number from 1; `what` says in the message what it stands for."""
        number = self.number(token, line)
        if number < 1:
            raise self.error(f"{what} is {number}, must be at least 1", line)
        return number
