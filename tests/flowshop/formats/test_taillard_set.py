"""Taillard's generator reproduces all of his 120 instances."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from prunus.errors import InputError
from prunus.flowshop.formats.taillard_set import (
    BEST_KNOWN,
    MODULUS,
    SIZES,
    TIME_SEEDS,
    instance,
    random_times,
)

FACTS = Path(__file__).parents[2] / "data" / "taillard.csv"


def test_all_120_instances_match_published_sums_and_first_times():
    """Size, sum of all times and the first five times on machine 1 agree for every instance."""
    with FACTS.open(newline="") as stream:
        facts = list(csv.DictReader(stream))
    assert len(facts) == len(TIME_SEEDS) == len(BEST_KNOWN) == 10 * len(SIZES) == 120
    for fact in facts:
        problem = instance(fact["name"])
        assert (problem.jobs, problem.machines) == (int(fact["jobs"]), int(fact["machines"]))
        assert problem.processing_times.sum() == int(fact["sum_of_times"])
        first = [int(time) for time in fact["first_machine_first_five"].split()]
        assert problem.processing_times[:5, 0].tolist() == first
        assert TIME_SEEDS[problem.name] == int(fact["time_seed"])
        assert BEST_KNOWN[problem.name] == int(fact["best_known_makespan"])


def test_values_as_published():
    """The second machine of ta001 follows the first in the stream of random numbers."""
    times = instance("ta001").processing_times
    assert times[:6, 1].tolist() == [79, 3, 11, 99, 56, 70]


def test_integer_arithmetic_equals_the_published_floating_point_one():
    """1 + floor(99 u) with u = seed / (2**31 - 1) in floating point gives the same times."""
    seed, expected = 12345, []
    for _ in range(2000):
        quotient, remainder = divmod(seed, 127773)  # Schrage's decomposition, as in the paper
        seed = 16807 * remainder - 2836 * quotient
        seed += MODULUS if seed < 0 else 0
        expected.append(1 + int(seed / MODULUS * 99))
    assert random_times(1, 2000, 12345)[0].tolist() == expected


def test_tables_are_read_only():
    """Nobody changes the published facts by accident."""
    with pytest.raises(TypeError):
        BEST_KNOWN["ta001"] = 0


@pytest.mark.parametrize(
    ("jobs", "machines", "seed"),
    [(0, 5, 1), (5, 0, 1), (10**6, 2, 1), (5, 5, 0), (5, 5, MODULUS), (5, 5, -1)],
)
def test_out_of_range_is_refused(jobs, machines, seed):
    """Sizes that no memory holds and seeds that the generator cannot have are refused."""
    with pytest.raises(InputError, match="generat"):
        random_times(jobs, machines, seed)
