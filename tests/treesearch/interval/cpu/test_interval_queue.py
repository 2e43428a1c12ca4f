"""Intervals that wait: first come, first served; who wants some gets the last ones."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from prunus.treesearch.interval.cpu.interval_queue import IntervalQueue
from prunus.treesearch.interval.interval import Intervals

RADIX = (60,)


@given(
    st.lists(st.integers(1, 5), min_size=1, max_size=6),
    st.lists(st.tuples(st.booleans(), st.integers(1, 6)), max_size=12),
)
def test_any_order_of_taking_is_that_of_a_list(sizes, actions):
    """One from the front or several from the end, of batches of any size; the leaves add up."""
    queue, model = IntervalQueue(RADIX), []
    for size in sizes:
        batch = [(t, t + 2) for t in range(2 * len(model), 2 * (len(model) + size), 2)]
        queue.append(Intervals.concatenate([Intervals.tasks(*task) for task in batch]))
        model += batch
    for front, count in actions:
        if not model:
            break
        if front:
            taken, wanted = queue.pop_first(), [model.pop(0)]
            queue.leaves -= 2
        else:
            count = min(count, len(model))
            taken, wanted = queue.pop_last(count), model[-count:]
            del model[-count:]
        found = zip(taken.begin(RADIX), taken.end(RADIX), strict=True)
        assert sorted(found) == wanted
        assert (len(queue), bool(queue)) == (len(model), bool(model))
        assert queue.leaves == 2 * len(model)
    assert queue.all().begin(RADIX) == [begin for begin, _ in model]
    queue.clear()
    assert (len(queue), queue.leaves) == (0, 0)
