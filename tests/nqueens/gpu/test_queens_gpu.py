"""The sweep of a GPU: the same numbers as a core, whoever runs the kernel, however it is cut."""

from __future__ import annotations

import ctypes
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prunus.errors import InputError
from prunus.nqueens.cpu.sweep import sweep
from prunus.nqueens.gpu.explorer import QueensGpuExplorer
from prunus.nqueens.gpu.launch import launch_shape
from prunus.nqueens.gpu.sweep import SEARCH, GpuSweeper, QueensGpuTuning
from prunus.nqueens.tasks.choose import queens_tasks
from prunus.runtime.incumbent import NO_INCUMBENT
from prunus.treesearch.interval.interval import Intervals
from tests.hardware.cuda.compilers import ARCHITECTURES, CARDS, check_compiles
from tests.hardware.cuda.emulated import COMPILER, WARP, EmulatedDevice

GO = np.zeros(1, np.int64)
SYMMETRIES = ["none", "mirror", "all"]
emulated = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler (g++ or clang++)")


def on_core(tasks):
    """Return what a core counts."""
    return sweep(tasks, 0, len(tasks), GO)


class InTurns(EmulatedDevice):
    """Lanes take turns, round by round; otherwise one goes on until it meets others."""

    _in_turns = True


class Watching(InTurns):
    """Looks at what launches leave, and raises a flag after some of them."""

    def __init__(self, launches=-1):
        super().__init__()
        self.left = launches
        self.flag = np.zeros(1, np.int64)
        self.queues = set()
        self.meetings = 0
        self.kept = []

    def launch_together(self, kernel, blocks, threads, address, shared):
        super().launch_together(kernel, blocks, threads, address, shared)
        words = (ctypes.c_uint64 * SEARCH.words).from_address(address)
        search = np.frombuffer(words, SEARCH.dtype)[0]
        self.queues.add(int(search["tasks"]))
        self.meetings = int(search["control"][6])
        kept = (ctypes.c_uint32 * (blocks * threads)).from_address(int(search["kept_nodes"]))
        self.kept.append(sum(kept))
        self.left -= 1
        if self.left == 0:
            self.flag[0] = 1


@emulated
@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize("n", [5, 6, 7, 8, 11])
@pytest.mark.parametrize("warp", [32, 64])
def test_kernel_counts_what_a_core_counts(n, symmetry, warp):
    """Run lane by lane on the processor, the kernel finds a core's solutions and nodes."""
    tasks = queens_tasks(n, symmetry)
    if len(tasks) == 0:
        pytest.skip("no task is left on so small a board")
    sweeper = GpuSweeper(EmulatedDevice(warp=warp), tasks, threads=warp)
    assert sweeper.sweep(0, len(tasks), GO) == on_core(tasks)


@emulated
@settings(deadline=None, max_examples=40)
@given(
    st.integers(7, 11),
    st.sampled_from(SYMMETRIES),
    st.sampled_from([1, 30, 300]),
    st.integers(0, 4000),
    st.sampled_from([EmulatedDevice, InTurns]),
    st.floats(0, 1),
    st.floats(0, 1),
)
def test_any_cut_into_launches_gives_the_same(n, symmetry, size, budget, kind, one, other):
    """However soon launches end, lanes give nodes away or keep them, nothing is lost or doubled."""
    tasks = queens_tasks(n, symmetry, size)
    first, last = sorted((int(one * len(tasks)), int(other * len(tasks))))
    tuning = QueensGpuTuning(launch_s=budget * 1e-9)
    sweeper = GpuSweeper(kind(), tasks, WARP, tuning)
    assert sweeper.sweep(first, last, GO) == sweep(tasks, first, last, GO)


def deep_tasks(n, symmetry):
    """Return a few tasks of a large board that have few rows left."""
    tasks = queens_tasks(n, symmetry, 100)
    rng = np.random.default_rng(n)
    while int(tasks.columns[0]).bit_count() < n - 9:
        chosen = np.sort(rng.choice(len(tasks), min(len(tasks), 400), replace=False))
        parts = ("columns", "left", "right", "free", "group")
        tasks = replace(tasks, **{part: getattr(tasks, part)[chosen] for part in parts}).expanded()
    return tasks


@emulated
@pytest.mark.parametrize(("n", "symmetry"), [(26, "all"), (27, "all"), (27, "mirror")])
def test_every_bit_of_the_largest_boards(n, symmetry):
    """Where the masks fill their words, deep tasks give what they give on a core."""
    tasks = deep_tasks(n, symmetry)
    expected = on_core(tasks)
    assert expected[0] > 0
    assert GpuSweeper(EmulatedDevice(), tasks, threads=WARP).sweep(0, len(tasks), GO) == expected


@emulated
def test_nodes_are_given_away_and_kept():
    """Short launches end with nodes kept by lanes, a used-up queue with nodes given away."""
    tasks = queens_tasks(12, "all", 500)
    device = Watching()
    sweeper = GpuSweeper(device, tasks, WARP, QueensGpuTuning(launch_s=100e-9, steps=8))
    assert sweeper.sweep(0, len(tasks), GO) == on_core(tasks)
    assert len(device.kept) == sweeper.launches > 3
    assert max(device.kept) > 0
    assert len(device.queues) > 1


@emulated
def test_a_launch_shares_nodes_out_until_none_is_left():
    """With time enough one launch does it all, whose blocks meet whenever the queue is used up."""
    tasks = queens_tasks(11, "all")
    device = Watching()
    sweeper = GpuSweeper(device, tasks, WARP, QueensGpuTuning(steps=2))
    assert sweeper.sweep(0, len(tasks), GO) == on_core(tasks)
    assert sweeper.launches == 1
    assert device.meetings > 3
    assert device.kept == [0]


@emulated
def test_stopped_sweep_resumes_exactly():
    """Stopped in the middle of a chunk, the sweep names the first task that is not counted."""
    tasks = queens_tasks(11, "all", 200)
    device = Watching(launches=3)
    sweeper = GpuSweeper(device, tasks, WARP, QueensGpuTuning(launch_s=0.0))
    sweeper._chunk = len(tasks) // 3
    solutions, nodes, end = sweeper.sweep(0, len(tasks), device.flag)
    assert device.left == 0
    assert end < len(tasks)
    more = GpuSweeper(EmulatedDevice(), tasks, threads=WARP).sweep(end, len(tasks), GO)
    assert (solutions + more[0], nodes + more[1], more[2]) == on_core(tasks)


@emulated
@pytest.mark.parametrize(("chunk", "first"), [(30, 34), (40, 50), (70, 100), (1000, 100)])
def test_no_small_chunk_is_left_behind_the_others(monkeypatch, chunk, first):
    """A range is cut into equal chunks, about as large as they should be."""
    tasks = queens_tasks(11, "all", 200)
    sweeper = GpuSweeper(EmulatedDevice(), tasks, threads=WARP)
    sweeper._chunk, cut = chunk, []
    monkeypatch.setattr(sweeper, "_sweep_chunk", lambda a, b, _: (cut.append((a, b)), (0, 0))[1])
    assert sweeper.sweep(7, 107, GO)[2] == 107
    assert cut[0] == (7, 7 + first)
    assert [a for a, _ in cut[1:]] == [b for _, b in cut[:-1]]
    assert cut[-1][1] == 107


@emulated
def test_explorer_sweeps_what_it_is_given():
    """As a member of a team the device sweeps its ranges, gives part away and accounts for all."""
    tasks = queens_tasks(10, "all", 100)
    explorer = QueensGpuExplorer(tasks, EmulatedDevice(), threads=WARP)
    explorer.load(Intervals.tasks(0, len(tasks)))
    given = explorer.split(0.25)
    report = explorer.explore(NO_INCUMBENT, 60.0)
    assert report.exhausted
    assert explorer.state()[1] + sum(given.measure(explorer.radix)) == len(tasks)
    explorer.load(given)
    rest = explorer.explore(NO_INCUMBENT, 60.0)
    assert (report.leaves + rest.leaves, report.nodes + rest.nodes) == on_core(tasks)[:2]
    assert explorer.state() == ([], len(tasks))


def test_large_boards_are_refused():
    """Beyond 27 queens a GPU is refused in one sentence that says what to do instead."""
    tasks = queens_tasks(28, "mirror")
    with pytest.raises(InputError, match=r"27 × 27, got n = 28; search on the CPU"):
        GpuSweeper(EmulatedDevice(), tasks)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize(("n", "symmetry"), [(6, "all"), (20, "all"), (27, "all"), (27, "mirror")])
def test_kernel_compiles(n, symmetry, architecture):
    """Every kind of specialisation compiles for every architecture, without a GPU."""
    card = CARDS[architecture]
    form = launch_shape(queens_tasks(n, symmetry), card.shared_limit, warp=card.warp)
    assert form.threads % card.warp == 0
    check_compiles("nqueens/gpu/sweep.cu", form.constants, architecture)


@pytest.mark.gpu
@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.parametrize("size", [1, 3000])
@pytest.mark.parametrize("n", range(6, 16))
def test_card_counts_what_a_core_counts(n, size, symmetry):
    """On a real card, solutions and nodes are a core's for every size and symmetry."""
    from prunus.hardware.cuda import CudaDevice

    tasks = queens_tasks(n, symmetry, size)
    if len(tasks) == 0:
        pytest.skip("no task is left on so small a board")
    assert GpuSweeper(CudaDevice(0), tasks).sweep(0, len(tasks), GO) == on_core(tasks)


@pytest.mark.gpu
@pytest.mark.parametrize("n", [20, 23, 25, 26, 27])
@pytest.mark.parametrize("symmetry", ["mirror", "all"])
def test_deep_tasks_of_large_boards_on_a_card(n, symmetry):
    """Deep tasks of large boards give on a card what they give on a core."""
    from prunus.hardware.cuda import CudaDevice

    tasks = deep_tasks(n, symmetry)
    assert GpuSweeper(CudaDevice(0), tasks).sweep(0, len(tasks), GO) == on_core(tasks)


@pytest.mark.gpu
def test_large_count_is_stopped_soon():
    """A count that would take days ends within half a second of the flag, on the task it was at."""
    from prunus.hardware.cuda import CudaDevice

    tasks = queens_tasks(24, "all", 20_000)
    sweeper = GpuSweeper(CudaDevice(0), tasks)
    stop = np.zeros(1, np.int64)
    sweeper.sweep(0, 1, stop)
    raised = []

    def raise_flag():
        stop[0] = 1
        raised.append(time.monotonic())

    threading.Timer(1.5, raise_flag).start()
    solutions, _, end = sweeper.sweep(0, len(tasks), stop)
    assert time.monotonic() - raised[0] < 0.5
    assert 0 <= end < len(tasks)
    assert (solutions > 0) == (end > 0)


@pytest.mark.gpu
@pytest.mark.parametrize(
    ("n", "symmetry", "solutions", "nodes"),
    [
        (17, "mirror", 95_815_104, 8_017_021_931),
        (18, "none", 666_090_624, 59_365_844_490),
        (19, "mirror", 4_968_057_848, 461_939_618_823),
        (19, "all", 4_968_057_848, None),
        (20, "all", 39_029_188_884, None),
    ],
)
def test_published_counts_on_a_card(n, symmetry, solutions, nodes):
    """Large boards give the published numbers of solutions and of nodes of the full tree."""
    from prunus.hardware.cuda import CudaDevice

    tasks = queens_tasks(n, symmetry, 50_000)
    found, visited, end = GpuSweeper(CudaDevice(0), tasks).sweep(0, len(tasks), GO)
    assert end == len(tasks)
    assert tasks.solutions + found == solutions
    assert nodes is None or tasks.nodes + visited == nodes
