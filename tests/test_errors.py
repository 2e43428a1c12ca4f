"""An error is one sentence, whatever it quotes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prunus.errors import DeviceError, InputError, MissingExtraError, OptionError, sentence


@given(st.text(st.characters(), max_size=3000))
def test_one_line_that_can_be_printed(words):
    """No line breaks, no orders to a terminal, no screenfuls: printable text as it was."""
    said = sentence(words)
    assert said.isprintable()
    assert len(said) < 610
    if words.isprintable() and len(words) <= 600 and words == words.strip():
        assert said == words


def test_the_end_of_a_long_sentence_says_what_to_do():
    """Of a value of thousands of characters the middle is left out."""
    said = sentence(f"seed={'x' * 9000} is not an integer")
    assert said.startswith("seed=xxx")
    assert said.endswith("xxx is not an integer")
    assert str(OptionError("seed", "is too large", 10**5000)).endswith("is too large")


@pytest.mark.parametrize("kind", [InputError, DeviceError, MissingExtraError])
def test_every_error_is_such_a_sentence(kind):
    """Errors of the library say so by themselves."""
    assert str(kind("a\x1b[31m,\n   b")) == "a\\x1b[31m, b"
