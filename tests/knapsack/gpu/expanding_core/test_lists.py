"""Memory for copies of lists: many in one piece of memory, none over another."""

from __future__ import annotations

import numpy as np

from prunus.knapsack.gpu.expanding_core.lists import Copies
from tests.hardware.cuda.emulated import EmulatedDevice


def test_copies_share_memory_and_never_overlap(monkeypatch):
    """Few requests to the driver serve many copies, each with its own states."""
    device = EmulatedDevice()
    asked = []
    empty = device.empty
    monkeypatch.setattr(
        device, "empty", lambda count, kind: asked.append(count) or empty(count, kind)
    )
    copies = Copies(device, 100)
    sizes = [30, 60, 20, 250, 1, 80, 90]
    made = [copies.take(size) for size in sizes]
    for k, (weights, words) in enumerate(made):
        weights[:], words[:] = k, k + 100
    for k, (weights, words) in enumerate(made):
        assert len(weights) == len(words) == sizes[k]
        assert (weights == k).all()  # type: ignore[attr-defined]
        assert (words == k + 100).all()  # type: ignore[attr-defined]
    assert {weights.dtype for weights, _ in made} == {np.dtype(np.int64)}
    assert {words.dtype for _, words in made} == {np.dtype(np.uint64)}
    assert asked == [100, 100, 100, 100, 250, 250, 100, 100, 100, 100]


def test_copies_want_half_of_the_free_memory_at_most(monkeypatch):
    """Where memory is short a piece is no larger than the copy, and then there is none."""
    device = EmulatedDevice()
    monkeypatch.setattr(device, "free_memory", lambda: 3200)
    copies = Copies(device, 1 << 23)
    assert len(copies.take(100)[0]) == 100
    assert copies.take(101) is None
