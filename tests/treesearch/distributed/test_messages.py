"""Messages between a coordinator and its workers, as bytes."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunus.treesearch.distributed.messages import MAX_MESSAGE_BYTES, Message, MessageKind

NUMBERS = st.integers(-(2**63), 2**63 - 1)


@given(st.sampled_from(MessageKind), NUMBERS, NUMBERS, st.none() | st.lists(NUMBERS, min_size=1))
def test_what_is_said_is_heard(kind, ticket, value, solution) -> None:
    """Numbers of any size included."""
    told = None if solution is None else np.array(solution, np.int64)
    heard = Message.unpack(Message(kind, ticket, value, told).pack())
    assert (heard.kind, heard.ticket, heard.value) == (kind, ticket, value)
    assert (heard.solution is None) == (solution is None)
    assert solution is None or heard.solution.tolist() == solution


@given(st.binary(max_size=60))
def test_bytes_are_a_message_or_refused(data) -> None:
    """Whatever they are; a message is the one whose bytes they are."""
    try:
        heard = Message.unpack(data)
    except ValueError:
        return
    assert heard.pack() == data


@pytest.mark.parametrize(
    "bad", [b"", b"\x01" * 16, struct.pack("<Bqq", 77, 0, 0), bytes(MAX_MESSAGE_BYTES + 8)]
)
def test_what_is_no_message_is_refused(bad) -> None:
    """Neither a part of one, nor an unknown kind, nor one of megabytes."""
    with pytest.raises(ValueError, match=r"no message|not a valid"):
        Message.unpack(bad)
