"""The same counts whatever vector instructions the processor has."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np

from prunus.flowshop.cpu.tree import core_tree
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.interval.cpu.explorer import CoreExplorer
from prunus.treesearch.interval.interval import Intervals

INSTANCES = [(9, 7, 99), (9, 36, 50_000)]


def counts():
    """Search instances of one and two blocks of machines, in 16 and in 32 bits, with LB2."""
    found = []
    for jobs, machines, largest in INSTANCES:
        times = np.random.default_rng(jobs).integers(0, largest + 1, (jobs, machines))
        tree = core_tree(FlowShop(times), Bound.LB2, Branching.MINBRANCH)
        core, incumbent = CoreExplorer(tree), Incumbent(None)
        core.load(Intervals.whole(jobs))
        nodes, exhausted = 0, False
        while not exhausted:
            report = core.explore(incumbent, 1.0)
            nodes, exhausted = nodes + report.nodes, report.exhausted
        found.append((nodes, incumbent.cutoff))
    return found


def test_a_processor_without_wide_vectors_counts_the_same(tmp_path):
    """Compiled for the oldest processor of this kind, where lanes are gathered one by one."""
    environment = {
        **os.environ,
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_CPU_FEATURES": "",
        "NUMBA_CACHE_DIR": str(tmp_path),
    }
    command = "from tests.hardware.jit.test_vector import counts; print(counts())"
    output = subprocess.run(
        [sys.executable, "-c", command],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
        cwd=os.path.join(os.path.dirname(__file__), "..", "..", ".."),
    ).stdout
    assert output.strip() == str(counts())
