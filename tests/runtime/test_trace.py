"""A trace stays small however long a search is, and evenly spaced."""

from __future__ import annotations

import numpy as np
import pytest

from prunus.runtime.samples import MOST_SAMPLES
from prunus.runtime.trace import Recorder


@pytest.mark.parametrize(
    "samples", [1, MOST_SAMPLES - 1, MOST_SAMPLES, MOST_SAMPLES + 1, 5 * MOST_SAMPLES + 3]
)
def test_a_long_search_is_sampled_evenly_from_its_beginning(samples: int) -> None:
    """The first sample is kept, and of too many others every second, every fourth and so on."""
    recorder = Recorder(("cpu:0",))
    for moment in range(samples):
        recorder.note(float(moment), [(7 * moment, 0, 1, 0.0)])
    trace = recorder.trace()
    assert len(trace.time) < MOST_SAMPLES
    assert trace.time[0] == 0
    steps = np.unique(np.diff(trace.time))
    assert len(steps) <= 1
    assert trace.nodes[:, 0].tolist() == (7 * trace.time).astype(int).tolist()
    assert samples - trace.time[-1] <= (steps[0] if len(steps) else 1)
