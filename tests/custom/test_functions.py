"""What tells the functions of one class from those of another: nothing but what they compute."""

from __future__ import annotations

from prunus.custom.functions import _digest, syntax_tree

ONE = """
SHIFT = 3

def helper(x):
    return x + SHIFT

def function(data, state):
    {comment}
    return helper(state[0]) {more}
"""


def made(text, **changes):
    """The function of a text, with nothing but its code: as code that is typed in."""
    names = {}
    exec(text, names)
    names |= changes
    return names["function"]


def test_the_digest_is_that_of_the_meaning():
    """Helpers and constants count, other names of the module do not."""
    plain = ONE.format(comment="pass", more="")
    digest = _digest([made(plain)])
    assert _digest([made(plain, other=7)]) == digest
    assert _digest([made(plain.replace("SHIFT = 3", "SHIFT = 4"))]) != digest
    assert _digest([made(plain.replace("x + SHIFT", "x - SHIFT"))]) != digest
    assert _digest([made(ONE.format(comment="pass", more="* 2"))]) != digest


def documented(data, state):
    """Say something."""
    # And something else.
    return state[0]


def test_text_that_says_nothing_is_left_out():
    """Neither a docstring nor a comment is part of a function's tree; its lines are the file's."""
    tree = syntax_tree(documented)
    assert len(tree.body) == 1
    assert tree.body[0].lineno == documented.__code__.co_firstlineno + 3


def test_code_without_a_text_has_no_tree():
    """What was typed in, or made by exec, cannot be translated."""
    assert syntax_tree(made(ONE.format(comment="pass", more=""))) is None
