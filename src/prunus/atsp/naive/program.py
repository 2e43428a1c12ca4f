"""The ATSP as the search on a GPU sees it, with the naive bound: up to 64 cities."""

from __future__ import annotations

import numpy as np

from prunus.atsp.problem import ATSP
from prunus.errors import InputError
from prunus.model.arrays import Int64Array
from prunus.treesearch.interval.gpu.program import GpuProgram

MAX_CITIES = 64
"""Sets of items are two words of 32 bits."""


def atsp_program(problem: ATSP) -> GpuProgram:
    """Describe an instance to the search on a GPU.

    Tours start in city 0; item i is city i + 1.

    Raises ``InputError`` if it has one city only, or more than ``MAX_CITIES``.
    """
    if not 2 <= problem.cities <= MAX_CITIES:
        raise InputError(
            f"the search on a GPU takes 2 to {MAX_CITIES} cities, not {problem.cities}; "
            f"search on the CPU"
        )
    top = int(problem.distances.max()) * problem.cities
    wide = top >= 2**30
    kind = np.int64 if wide else np.int32
    tables = np.ascontiguousarray(problem.distances, kind).view(np.uint32).ravel()

    def solution(path: Int64Array) -> Int64Array:
        return np.concatenate([[0], path + 1])

    return GpuProgram(
        levels=problem.cities - 1,
        file="atsp/naive/search.cu",
        bits=64 if wide else 32,
        choices={},
        tables=tables,
        state_words=4,
        shared_bytes=-(-tables.nbytes // 16) * 16,
        blocks=8,
        solution=solution,
        evaluate=problem.whole_length,
    )
