"""Beam search on a GPU: levels follow one another without the host between them.

A level's memory is some hundred bytes a node, and two bytes a child for the bin that its key falls
into; what leads to each node (6 bytes a node and level) stays until the beam has ended.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from prunus.errors import DeviceError
from prunus.flowshop.beam.guides import emphasis, in_fours
from prunus.flowshop.beam.layout import CONTROL, LEVEL
from prunus.flowshop.bounds.johnson import heads_and_tails
from prunus.flowshop.cpu.tree import path_to_schedule
from prunus.flowshop.gpu.program import packed
from prunus.flowshop.problem import FlowShop
from prunus.hardware.device import Device, Kernel, Launch
from prunus.model.arrays import AnyArray, Int64Array, UInt32Array
from prunus.treesearch.beam.gpu.level_arrays import LevelArrays, most_nodes
from prunus.treesearch.beam.model import BeamResult, Guide

_FILE = "flowshop/beam/beam.cu"
_BINS = 4096
_THREADS = 128
_SCAN_BYTES = 8 * 32
"""A number for each warp of a block."""
_BY_ONE_BLOCK = ("calibrate", "threshold", "place")
_MAX_SHARED_ROWS_BYTES = 64 * 1024
"""Processing times go to shared memory up to this size."""

_MEMORY_SHARE = 0.5
"""What beams may take of the free memory: the tree search beside them and other programs on the
card need room."""
_RATED_ONCE = 2**22
"""Of a level of so many children all keys are kept, to be rated once."""
_SAMPLED_CHILDREN = 2**17
"""Of a larger one those of so many children, about, which set the range of the bins."""
_GROUP = 8
"""Jobs that always go to the same lane."""
_LANES_A_MULTIPROCESSOR = 512
"""As long as a level has fewer nodes, several lanes share one."""
_LARGEST, _MOST_JOBS = 2**16 - 1, 2**15 - 1
"""Times are 16-bit numbers in the kernels, and a job with its direction is one."""
_AHEAD_CHILDREN, _AHEAD = 2**25, 64
"""Levels of so many children together, but at most so many levels, are launched before the host
waits for one, so that a stop is heard within milliseconds."""


def fits_gpu(problem: FlowShop, cutoff: int) -> bool:
    """Tell whether all times below a cutoff, and twice the jobs, are numbers of 16 bits.

    A start is less than the cutoff and the longest job.
    """
    times = problem.processing_times
    largest = max(cutoff + int(times.sum(1).max()), int(times.sum(0).max()))
    return largest <= _LARGEST and problem.jobs <= _MOST_JOBS


class GpuBeam:
    """Beam search of one instance on one GPU.

    Raises ``DeviceError`` if the GPU fails or has too little memory. ``cutoff`` is the makespan of
    a schedule that is known: no beam looks for worse ones.
    """

    def __init__(self, problem: FlowShop, device: Device, cutoff: int) -> None:
        times = problem.processing_times
        jobs, machines = times.shape
        self._problem, self._device = problem, device
        row_words = -(-machines // 4) * 4
        rows = np.zeros((jobs, row_words), np.uint32)
        rows[:, :machines] = packed(times, times[:, ::-1])
        totals = times.sum(0)
        if not fits_gpu(problem, cutoff):
            raise DeviceError("the processing times are too large for a beam search on a GPU")
        latest = cutoff + int(times.sum(1).max())
        self._cutoff = cutoff
        self._state_words: int = 2 * machines + -(-jobs // 32) + 2
        self._root = device.put(self._make_root(times))
        shared = rows.nbytes if rows.nbytes <= _MAX_SHARED_ROWS_BYTES else 0
        constants = {
            "JOBS": jobs,
            "MACHINES": machines,
            "SHARED_ROWS": int(shared > 0),
            # A bound is a start and less than a cutoff.
            "SATURATED": int(latest + cutoff > _LARGEST),
            "BOUND_BLOCKS": 6 if machines <= 20 else 4 if machines <= 40 else 3,
            "RATE_BLOCKS": 5 if machines <= 20 else 3 if machines <= 40 else 2,
        }
        module = device.compile(_FILE, constants)
        self._shared = {
            "bound": shared,
            "rate": shared,
            "calibrate": 4 * _BINS + 16 + _SCAN_BYTES,
            "sort": 4 * _BINS + shared,
            **dict.fromkeys(("threshold", "count", "place", "emit"), _SCAN_BYTES),
        }
        self._kernels: dict[str, tuple[Kernel, int]] = {
            name: device.prepare(module, name, self._threads(name), self._shared.get(name, 0))
            for name in (
                *("plant", "bound", "rate", "calibrate", "sort", "bin", "threshold"),
                *("count", "place", "emit", "apply", "best", "trace"),
            )
        }
        self._groups: int = -(-jobs // _GROUP)
        self._rated_once = _RATED_ONCE // jobs
        self._sampled = max(128, _SAMPLED_CHILDREN // jobs)
        self._lanes: int = device.multiprocessors * _LANES_A_MULTIPROCESSOR
        self._rows = device.put(rows.ravel())
        self._totals = device.put(packed(totals, totals[::-1]))
        self._arrays = LevelArrays(device)

    @staticmethod
    def _threads(kernel: str) -> int:
        return 32 if kernel == "trace" else 1024 if kernel in _BY_ONE_BLOCK else _THREADS

    def _make_root(self, times: Int64Array) -> UInt32Array:
        """Return the root's state: machines wait for the least heads and tails."""
        machines = times.shape[1]
        heads, tails = heads_and_tails(times)
        state = np.zeros(self._state_words, np.uint32)
        state[:machines] = packed(heads, tails[::-1])
        state[-2:] = np.float32(machines).view(np.uint32)
        return state

    @property
    def _node_bytes(self) -> int:
        jobs: int = self._problem.jobs
        return 2 * 4 * self._state_words + 2 * jobs + 2 * self._groups + 8 + 5 + 6 * jobs

    @property
    def widest(self) -> int:
        """Nodes a level for which the device has memory."""
        jobs = self._problem.jobs
        beside = 4 * max(_RATED_ONCE, jobs * self._sampled) + 4 * jobs * _BINS + 2**28
        held = self._arrays.width * self._node_bytes
        return max(
            1, int((_MEMORY_SHARE * self._device.free_memory() + held - beside) / self._node_bytes)
        )

    @property
    def narrowest(self) -> int:
        """Nodes a level for which all lanes have work: narrower beams take as long."""
        return max(1, self._lanes // self._groups)

    def _hold(self, width: int) -> None:
        """Have arrays for so many nodes a level."""
        if width <= self._arrays.width:
            return
        jobs = self._problem.jobs
        sizes: dict[str, tuple[int, str]] = {
            "first": (self._state_words * width, "u4"),
            "second": (self._state_words * width, "u4"),
            "keys": (jobs * width, "u2"),
            "ahead": (self._groups * width, "u1"),
            "behind": (self._groups * width, "u1"),
            "survivors": (width, "i8"),
            "counts": (self._shares(width), "u4"),
            "sums": (self._shares(width) // _THREADS + 1, "u8"),
            "parents": (jobs * width, "u4"),
            "jobs": (jobs * width, "u2"),
            "samples": (max(_RATED_ONCE, jobs * self._sampled), "f4"),
            "schedule": (jobs, "u2"),
        }
        self._arrays.hold(width, sizes)

    def release(self) -> None:
        """Give the memory of all levels back to the driver: other programs may want it."""
        self._arrays.release()

    def _levels(self, width: int, guide: Guide, cutoff: int) -> AnyArray:
        """Return the structures of all levels, the last of which has no children."""
        device, jobs = self._device, self._problem.jobs
        levels = np.zeros(jobs + 1, LEVEL.dtype)
        at = self._arrays.addresses()
        number = np.arange(jobs + 1)
        levels["rows"], levels["totals"] = device.address(self._rows), device.address(self._totals)
        levels["root"] = device.address(self._root)
        levels["nodes"] = np.where(number % 2, at["second"], at["first"])
        levels["next"] = np.where(number % 2, at["first"], at["second"])
        levels["control"] = device.address(self._control) + number * CONTROL.bytes
        levels["histogram"] = device.address(self._histogram) + number * 4 * _BINS
        for name in (
            *("keys", "samples", "ahead", "behind", "survivors"),
            *("counts", "sums", "schedule"),
        ):
            levels[name] = at[name]
        levels["parents"] = at["parents"] + number * 4 * width
        levels["jobs"] = at["jobs"] + number * 2 * width
        levels["capacity"], levels["sampled"] = width, self._samples(width)
        most = most_nodes(jobs, width)
        levels["slices"], levels["most"] = [self._slices(nodes) for nodes in most], most
        levels["level"], levels["cutoff"] = number, cutoff
        levels["weight"] = guide.weight * np.maximum(0, jobs - number - 1) / jobs
        levels["emphasis"] = device.address(self._emphasis)
        return levels

    def _slices(self, nodes: int) -> int:
        """Return how many lanes share a node of a level of so many."""
        return max(1, min(self._groups, self._lanes // nodes))

    def _shares(self, width: int) -> int:
        """Return how many shares of nodes a level has at most."""
        return max(width, min(self._lanes, width * self._groups))

    def _samples(self, width: int) -> int:
        """Return how many nodes of a level have all keys of their children kept."""
        return width if width <= self._rated_once else min(width, self._sampled)

    def _launch_of(self, name: str, level: int, nodes: int, slices: int = 1) -> Launch:
        """Return what starts a kernel with a thread for each of so many nodes, or slices of one."""
        kernel, resident = self._kernels[name]
        threads = self._threads(name)
        blocks = max(1, -(-nodes // threads))
        if name == "sort":
            blocks = min(blocks, max(1, resident * self._device.multiprocessors // slices))
        address = self._device.address(self._structures) + level * LEVEL.bytes
        return kernel, blocks * slices, threads, address, self._shared.get(name, 0)

    def _ahead(self, level: int, most: list[int]) -> int:
        """Return up to which level kernels are launched before the host waits for it."""
        jobs = self._problem.jobs
        end = min(jobs, level + _AHEAD)
        return max(level + 1, min(end, level + _AHEAD_CHILDREN // (jobs * most[end])))

    def _launches_of(self, level: int, most: list[int], samples: int) -> list[Launch]:
        """Return what makes the next level of one."""
        nodes = most[level]
        slices = self._slices(nodes)
        rated = "bin" if nodes <= samples else "sort"
        return [
            self._launch_of("bound", level, nodes, slices),
            self._launch_of("rate", level, min(nodes, samples), slices),
            self._launch_of("calibrate", level, 1),
            self._launch_of(rated, level, nodes, slices),
            self._launch_of("threshold", level, 1),
            self._launch_of("count", level, nodes * slices),
            self._launch_of("place", level, 1),
            self._launch_of("emit", level, nodes * slices),
            self._launch_of("apply", level, most[level + 1]),
        ]

    def search(
        self,
        width: int,
        *,
        guide: Guide,
        cutoff: int,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> BeamResult:
        """Run one beam; see ``DeviceBeam``."""
        device, jobs = self._device, self._problem.jobs
        cutoff = min(cutoff, self._cutoff)
        self._hold(width)
        control = np.zeros(jobs + 1, CONTROL.dtype)
        control["nodes"][0] = 1
        control["best"] = np.iinfo(np.uint64).max
        self._control = device.put(control.view(np.uint8))
        self._histogram = device.full((jobs + 1) * _BINS, 0, np.uint32)
        self._emphasis = device.put(emphasis(in_fours(self._problem.machines), guide.slant))
        self._structures = device.put(self._levels(width, guide, cutoff).view(np.uint8))
        most, samples, level = most_nodes(jobs, width), self._samples(width), 0
        launches = [self._launch_of("plant", 0, 1)]
        now = control[0]
        while level < jobs:
            if should_stop():
                return BeamResult(None, None, False, int(now["evaluated"]), stopped=True)
            first, level = level, self._ahead(level, most)
            for each in range(first, level):
                launches += self._launches_of(each, most, samples)
            device.launch_in_turn(launches, 1)
            launches = []
            if level < jobs:
                now = device.read(self._control).view(CONTROL.dtype)[level]
                if now["nodes"] == 0:
                    return BeamResult(None, None, not now["dropped"], int(now["evaluated"]))
        ends = [self._launch_of("best", jobs, most[-1]), self._launch_of("trace", jobs, 1)]
        device.launch_in_turn(ends, 1)
        last = device.read(self._control).view(CONTROL.dtype)[jobs]
        complete, evaluated = not last["dropped"], int(last["evaluated"])
        if last["nodes"] == 0:
            return BeamResult(None, None, complete, evaluated)
        makespan = int(last["best"]) >> 32
        fixed = device.read(self._arrays["schedule"])[:jobs].astype(np.int64)
        order = path_to_schedule(fixed[::-1] >> 1, fixed[::-1] & 1)
        return BeamResult(order, makespan, complete, evaluated)
