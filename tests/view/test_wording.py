"""How a problem is called where people read it."""

from __future__ import annotations

import numpy as np
import pytest

from prunus import Assignment, InputError, solve
from prunus.view.wording import title


def test_a_stack_says_how_many_problems_it_holds():
    """As it does in Python."""
    assert title(Assignment(np.ones((4, 3, 2)))) == "Assignment, 4 × 3 agents × 2 jobs"
    assert title(Assignment(np.ones((3, 1)))) == "Assignment, 3 agents × 1 job"


def test_what_is_no_problem_is_told_what_would_be():
    """By names that can be imported from prunus."""
    with pytest.raises(InputError, match="a PermutationProblem or ArrayProblem of your own, not"):
        solve([[1, 2], [3, 4]])
