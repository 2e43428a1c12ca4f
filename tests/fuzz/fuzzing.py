"""What all fuzzers share: damage, what an outcome may be, and how many cases there were."""

from __future__ import annotations

import time
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

from hypothesis import strategies as st

from prunus.errors import DisagreementError, PrunusError

T = TypeVar("T")

CASES: Counter[str] = Counter()
"""How many cases of each kind were tried, and how many of them were refused."""

LONGEST_S = 20.0
"""Seconds of processor time that no case may take; nearly all take milliseconds."""

MOST_BYTES = 2**31
"""What all cases of a test may allocate beyond what the process has."""

LONGEST_SENTENCE = 700

_ODD = [
    *(b"", b" ", b"\n", b"\r", b"\t", b",", b";", b'"', b"'", b"#", b":", b"-", b"\0", b"\x1b[2J"),
    *(b"0", b"1", b"-1", b"2", b"9" * 19, b"9" * 5000, b"1e9", b"1e9999", b"1.5", b"nan", b"inf"),
    *(b"4611686018427387904", b"18446744073709551616", b"0x1", b"1_0", b"\xd9\xa3", b"\xc2\xbd"),
    *(b"\xff\xfe", b"\xef\xbb\xbf", b"EOF", b"{", b"}", b"[", b"]" * 5000, b"[" * 5000, b"null"),
    *(b"a,b\n", b"capacity", b"target", b"TOTAL", b"p asn 3 2147483648", b"DIMENSION: 100000000"),
    b"number of jobs, number of machines",
]


@st.composite
def damaged(draw: st.DrawFn, content: bytes, others: Sequence[bytes] = ()) -> bytes:
    """Return a content with up to four parts that are gone, doubled, odd, moved, or another's."""
    for _ in range(draw(st.integers(1, 4))):
        one, two = sorted(draw(st.integers(0, len(content))) for _ in range(2))
        if draw(st.booleans()):  # a small part, not half of the file
            two = min(two, one + draw(st.integers(0, 8)))
        part = content[one:two]
        match draw(st.sampled_from(["gone", "doubled", "odd", "moved", "cut", "other", "flipped"])):
            case "gone":
                content = content[:one] + content[two:]
            case "doubled":
                content = content[:two] + part + content[two:]
            case "odd":
                odd = draw(st.sampled_from(_ODD) | st.binary(max_size=8))
                content = content[:one] + odd + content[two:]
            case "moved":
                rest = content[:one] + content[two:]
                at = draw(st.integers(0, len(rest)))
                content = rest[:at] + part + rest[at:]
            case "cut":
                content = content[:two]
            case "other":
                other = draw(st.sampled_from([content, *others]))
                begin, end = sorted(draw(st.integers(0, len(other))) for _ in range(2))
                content = content[:one] + other[begin:end] + content[two:]
            case _:
                flipped = bytes(byte ^ (1 << draw(st.integers(0, 7))) for byte in part[:1])
                content = content[:one] + flipped + content[one + len(flipped) :]
    return content


def outcome(kind: str, action: Callable[[], T], begins: str = "") -> T | None:
    """Return what an action gives, or None where it is refused, in one sentence and in time.

    Parameters
    ----------
    kind
        Under which cases are counted.
    action
        What is tried. What it raises that is no error of the library's fails the test.
    begins
        With what the sentence must begin.
    """
    CASES[kind] += 1
    began = time.process_time()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return action()
    except (PrunusError, DisagreementError) as error:
        told = str(error)
        assert told.startswith(begins), told
        assert told.isprintable(), ascii(told)
        assert 0 < len(told) <= LONGEST_SENTENCE, told
        CASES[f"{kind}, refused"] += 1
        return None
    finally:
        assert time.process_time() < began + LONGEST_S
