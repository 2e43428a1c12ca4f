"""The state of a node by vector scans, against the plain definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from prunus.flowshop.cpu.state import descend, job_rows, padded, root_state
from tests.flowshop.nodes import KINDS, SHAPES, make_node, nodes, random_node
from tests.twins import flowshop as twin


def expected_row(p, prefix, suffix):
    """Return the four parts of a row from the plain state."""
    front, back, remain = twin.state(p, prefix, suffix)
    front_load = tuple(r + b for r, b in zip(remain, back, strict=True))
    back_load = tuple(r + f for r, f in zip(remain, front, strict=True))
    return front, back, front_load, back_load


def test_padded_is_the_next_whole_number_of_blocks():
    """Rows fill whole blocks of 32."""
    assert [padded(n) for n in (1, 31, 32, 33, 64, 70)] == [32, 32, 32, 64, 64, 96]


def test_job_rows_are_times_and_their_sums_both_ways():
    """A job's row holds its times, their sums up to each machine and from each machine on."""
    rows = job_rows(np.array([[3, 1, 4]]), np.int16).reshape(1, 3, 32)
    assert rows[0, :, :3].tolist() == [[3, 1, 4], [3, 4, 8], [8, 5, 4]]
    assert not rows[0, :, 3:].any()


@pytest.mark.parametrize("shape", SHAPES)
def test_root(shape):
    """The root starts from the least heads and tails."""
    node = random_node(*shape, np.int64, seed=1)  # type: ignore[call-arg]
    assert node.row(0) == expected_row(node.p, (), ())
    assert (root_state(np.array(node.p)) == node.state[0]).all()


@settings(max_examples=200, deadline=None)
@given(nodes(max_jobs=7, max_machines=7))
def test_a_path_of_children(node):
    """After any jobs in front and at the back the row is the plain state, in every type."""
    assert node.row(node.level) == expected_row(node.p, node.prefix, node.suffix)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_many_machines_and_large_times(shape, kind):
    """The carry from block to block of machines is right, with times as large as the type takes."""
    for seed in range(3):
        node = random_node(*shape, kind, seed)  # type: ignore[call-arg]
        assert node.row(node.level) == expected_row(node.p, node.prefix, node.suffix)


@pytest.mark.parametrize("direction", [0, 1])
def test_the_parent_is_not_touched(direction):
    """Making a child leaves the rows above and below it as they were."""
    node = make_node([[3, 1], [2, 5], [4, 4]], [(0, 0)], np.int16)
    before = node.state.copy()
    descend(node.rows, node.state, 1, 2, direction)
    changed = (node.state != before).any(1)
    assert changed.tolist() == [False, False, True, False]
