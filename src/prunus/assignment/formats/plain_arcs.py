"""The arcs of a large DIMACS file all at once, where every line is as plain as programs write it.

A million lines cost Python seconds and NumPy a tenth of one. What is not plain (a comment between
the arcs, 1e3 for a cost, anything wrong) is left to whoever goes line by line and knows the lines.
"""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

_LARGEST = 10**18
"""Beyond it a number may be one that was too large to be read."""


def plain_arcs(text: str) -> NDArray[np.int64] | None:
    r"""Return the numbers of lines that are all ``a AGENT JOB COST``, or None if one is not.

    Lines are separated by ``\n``; the first begins with ``a``. They have the shape (lines, 3).
    """
    if not text.isascii():
        return None
    data = text.encode().rstrip(b"\n") + b"\n"
    lines = data.count(b"\n")
    # A letter and a blank before each number: no line has more than three of them, and where they
    # are three a line on the whole, each has three.
    if data.translate(None, b"-0123456789") != b"a   \n" * lines:
        return None
    if data.count(b"\na ") + data.startswith(b"a ") != lines:
        return None
    if b"- " in data or b"-\n" in data:  # which would be read as 0
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # that something could not be read
        try:
            values = np.fromstring(data.replace(b"a", b" "), np.int64, sep=" ")
        except (DeprecationWarning, ValueError):
            return None
    if len(values) != 3 * lines or values.max() >= _LARGEST or values.min() <= -_LARGEST:
        return None
    return values.reshape(lines, 3)
