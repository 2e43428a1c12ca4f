"""What the sanitizers look at does something, and does it right."""

from __future__ import annotations

import pytest

from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice


@pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
def test_searches_for_the_sanitizers_are_right():
    """Each counts what a core counts, on the emulated device."""
    from benchmarks.treesearch.sanitized import searches

    found = list(searches(EmulatedDevice()))
    assert len(found) > 10
    assert all(nodes == right > 30 for _, nodes, right in found), found
