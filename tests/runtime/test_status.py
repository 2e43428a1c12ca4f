"""A status says no more than what was proven, whatever bound and incumbent a method hands back."""

from __future__ import annotations

import pytest

from prunus.runtime.status import Status, final_status

OPTIMAL, FEASIBLE = Status.OPTIMAL, Status.FEASIBLE
INFEASIBLE, UNKNOWN = Status.INFEASIBLE, Status.UNKNOWN

TABLE = [
    # complete, objective, bound, upper bound → status, bound; the optimum is 10
    (True, 10, 10, None, OPTIMAL, 10),
    (True, 10, None, None, OPTIMAL, 10),
    (True, None, None, None, INFEASIBLE, None),
    (True, 10, 10, 12, OPTIMAL, 10),  # better than what was asked for
    (True, 10, 10, 10, OPTIMAL, 10),  # as good as the upper bound, and nothing is better
    (True, None, 10, 10, INFEASIBLE, 10),
    (True, 13, 10, 10, INFEASIBLE, 10),  # what was given or found first is not better than asked
    (True, 10, 7, 7, INFEASIBLE, 7),
    (True, None, 7, 7, INFEASIBLE, 7),
    (True, 12, 7, None, FEASIBLE, 7),  # a method that contradicts itself proves no more than this
    (False, 12, 8, None, FEASIBLE, 8),
    (False, 12, None, None, FEASIBLE, None),
    (False, 10, 10, None, OPTIMAL, 10),  # stopped, but the bounds meet
    (False, 10, 11, None, OPTIMAL, 10),
    (False, None, 8, None, UNKNOWN, 8),
    (False, None, None, None, UNKNOWN, None),
    (False, 12, 8, 11, FEASIBLE, 8),  # a valid solution with its gap, better than asked or not
    (False, 10, 8, 12, FEASIBLE, 8),
    (False, None, 8, 12, UNKNOWN, 8),
    (False, None, 12, 12, INFEASIBLE, 12),  # stopped, but nothing better can be left
    (False, 13, 12, 12, INFEASIBLE, 12),
    (False, 12, 12, 12, OPTIMAL, 12),
]


@pytest.mark.parametrize("maximise", [False, True])
@pytest.mark.parametrize(
    ("complete", "objective", "bound", "upper_bound", "status", "shown"), TABLE
)
def test_the_table(
    complete: bool,
    objective: int | None,
    bound: int | None,
    upper_bound: int | None,
    status: Status,
    shown: int | None,
    maximise: bool,
) -> None:
    """It is that of docs/results.md; maximising is its mirror image."""

    def signed(value: int | None) -> int | None:
        return -value if maximise and value is not None else value

    found = final_status(
        complete=complete,
        objective=signed(objective),
        bound=signed(bound),
        upper_bound=signed(upper_bound),
        maximise=maximise,
    )
    assert found == (status, signed(shown))


def test_counting() -> None:
    """A complete count is exact; a stopped one bounds nothing from above."""
    assert final_status(complete=True, objective=92, bound=None, counting=True) == (OPTIMAL, 92)
    assert final_status(complete=False, objective=40, bound=None, counting=True) == (FEASIBLE, None)
