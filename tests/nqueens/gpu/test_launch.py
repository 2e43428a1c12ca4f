"""The shape of a launch: as many lanes as the shared memory of a multiprocessor allows."""

from __future__ import annotations

import pytest

from prunus.nqueens.gpu.launch import launch_shape
from prunus.nqueens.tasks.choose import queens_tasks


@pytest.mark.parametrize("limit", [48 * 1024, 101_376, 166_912, 232_448])
@pytest.mark.parametrize("n", [6, 15, 20, 27])
@pytest.mark.parametrize("symmetry", ["mirror", "all"])
@pytest.mark.parametrize("warp", [32, 64])
def test_blocks_fit_the_multiprocessor(n, symmetry, limit, warp):
    """Blocks are whole warps, each within the limit of shared memory, all within what there is."""
    form = launch_shape(queens_tasks(n, symmetry), limit, warp=warp)
    assert form.shared <= limit
    assert form.blocks * (form.shared + 1024) <= limit + 1024
    assert form.threads % warp == 0
    assert form.blocks * form.threads <= 1024


def test_stacks_shrink_as_rows_are_filled():
    """Tasks with more rows filled need lower stacks, so more lanes fit."""
    few, many = queens_tasks(20, "all"), queens_tasks(20, "all", 100_000)
    coarse, fine = launch_shape(few, 232_448), launch_shape(many, 232_448)
    assert fine.slots < coarse.slots
    assert fine.blocks * fine.threads >= coarse.blocks * coarse.threads


def test_threads_can_be_chosen():
    """A wanted block size is taken as it is."""
    assert launch_shape(queens_tasks(10, "all"), 0, threads=32).threads == 32
