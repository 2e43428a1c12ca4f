"""The clock of a solve stands still while code is compiled; for GPUs see test_gpu_deadline.py."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from typing import Any

import pytest

import prunus
from prunus.hardware import clock
from prunus.hardware.jit.compiled import njit

LIMIT = 60.0
"""Seconds; far more than a small instance takes, and far less than the slow compiler does."""


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Set the time that the clock is read from: a number that stays what it is."""
    now = [1000.0]
    monkeypatch.setattr(clock, "perf_counter", lambda: now[0])
    return now


def test_the_clock_stands_still_in_its_context(time: list[float]) -> None:
    """What passes inside is counted apart; contexts inside others, and of other threads, once."""
    begun, stood = clock.seconds(), clock.time_paused()
    time[0] += 1
    with clock.paused():
        assert clock.paused_since() == time[0]
        time[0] += 10
        assert (clock.seconds() - begun, clock.time_paused() - stood) == (1, 10)
        with clock.paused():
            time[0] += 10
        go, ended = threading.Event(), threading.Event()

        def other() -> None:
            with clock.paused():
                ended.set()
                go.wait()

        thread = threading.Thread(target=other)
        thread.start()
        ended.wait()
    time[0] += 10
    go.set()
    thread.join()
    assert clock.paused_since() is None
    time[0] += 1
    assert (clock.seconds() - begun, clock.time_paused() - stood) == (2, 30)


def test_an_error_lets_the_clock_go_on() -> None:
    """Code that does not compile leaves nothing behind."""
    with pytest.raises(ValueError, match="no"), clock.paused():
        raise ValueError("no")
    assert clock.paused_since() is None


def test_a_context_that_was_cut_short_does_not_stop_the_next_solve() -> None:
    """An interrupt may come at any moment, also while a context is being closed."""
    clock._change(threading.get_ident(), 1)
    assert clock.paused_since() is not None
    result = prunus.solve(prunus.NQueens(4), devices="cpu:1")
    assert clock.paused_since() is None
    assert result.objective == 2


def test_numba_compiles_and_loads_while_the_clock_stands(time: list[float]) -> None:
    """The compiler, and what is called from it, add nothing."""
    before = clock.seconds(), clock.time_paused()

    @njit()
    def slow(x: Any) -> Any:
        return x + 1

    compiler = slow.dispatcher._compiler
    compiled = compiler.compile

    def slowly(*arguments: Any) -> Any:
        time[0] += 100
        return compiled(*arguments)

    compiler.compile = slowly
    assert slow(1) == 2
    assert (clock.seconds(), clock.time_paused()) == pytest.approx((before[0], before[1] + 100))


SOLVES = """
import json, sys
import numpy as np
import prunus
from prunus.hardware import clock
from time import perf_counter

ahead = [0.0]
clock.perf_counter = lambda: perf_counter() + ahead[0]

from prunus.hardware.jit.code_files import CodeFiles
load = CodeFiles.load

def slowly(*arguments):
    ahead[0] += 10 * {limit}
    return load(*arguments)

CodeFiles.load = slowly
rng = np.random.default_rng(1)
matrix = rng.integers(0, 99, (30, 30))
problems = {{
    "flow shop": prunus.FlowShop(rng.integers(1, 99, (7, 4))),
    "queens": prunus.NQueens(7),
    "tour": prunus.ATSP(matrix[:7, :7]),
    "knapsack": prunus.Knapsack(rng.integers(1, 99, 60), rng.integers(1, 99, 60), 1000),
    "subset sum": prunus.SubsetSum(rng.integers(2**30, 2**31, 30), 2**33 + 1),
    "assignment": prunus.Assignment(matrix),
    "stack": prunus.Assignment(np.stack([matrix, matrix])),
}}
found = {{}}
for name, problem in problems.items():
    result = prunus.solve(problem, devices="cpu:2", time_limit={limit})
    found[name] = (
        str(result.status), result.stopped_by, result.runtime, result.statistics["compile_time"]
    )
print(json.dumps(found))
"""


def test_no_problem_loses_its_time_to_a_slow_compiler() -> None:
    """Each is solved to the end, though compiling takes many times the limit."""
    done = subprocess.run(
        [sys.executable, "-c", SOLVES.format(limit=LIMIT)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    for name, (status, stopped_by, runtime, compiled) in found.items():
        assert status in ("optimal", "infeasible"), name
        assert stopped_by is None, name
        assert runtime < LIMIT, name
        # The stack calls nothing that the assignment before has not.
        assert compiled >= 10 * LIMIT or name == "stack", name
