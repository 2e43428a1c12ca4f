"""Beam search on a GPU: levels follow one another without the host between them.

A level's memory is some hundred bytes a node, and two bytes a child for the bin that its key falls
into; what leads to each node (6 bytes a node and level) stays until the beam has ended.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from prunus.errors import DeviceError
from prunus.flowshop.bounds.johnson import heads_and_tails
from prunus.flowshop.cpu.tree import path_to_schedule
from prunus.flowshop.gpu.program import packed
from prunus.flowshop.problem import FlowShop
from prunus.hardware.cuda.structs import Field, Structure
from prunus.hardware.device import Device, DeviceArray, Kernel
from prunus.model.arrays import AnyArray, Int64Array, UInt32Array
from prunus.treesearch.beam.model import BeamResult

_FILE = "flowshop/beam/beam.cu"
_BINS = 4096
_THREADS = 128
_MAX_SHARED_ROWS_BYTES = 64 * 1024
"""Processing times go to shared memory up to this size."""

_MEMORY_SHARE = 0.5
"""What beams may take of the free memory: the tree search beside them and other programs on the
card need room."""
_SAMPLED_CHILDREN = 2**19
"""Children whose keys set the range of the bins, about."""
_GROUP = 8
"""Jobs that always go to the same lane."""
_LANES_A_MULTIPROCESSOR = 512
"""As long as a level has fewer nodes, several lanes share one."""
_LARGEST = 2**16 - 1
"""Times are 16-bit numbers in the kernels."""
_LEVELS_AHEAD = 16
"""Levels of a narrow beam that are launched before the host waits for one."""
_WIDE = 2**15
"""Beams from this width on are waited for at each level, so that a stop is heard."""

_CONTROL = Structure(
    "Control",
    Field("nodes", "u32", "of this level"),
    Field("last_bin", "u32", "children in earlier bins are all kept"),
    Field("quota", "u32", "and so many of this one"),
    Field("dropped", "u32", "1 if an earlier level has dropped a child below the cutoff"),
    Field("low", "float", "the key at which the bins begin"),
    Field("scale", "float", "bins a unit of the key"),
    Field("best", "u64", "at the last level: least makespan << 32 | node"),
    Field("evaluated", "u64", "children of all earlier levels"),
)
_SURVIVORS = Structure(
    "Survivors",
    Field("count", "int", "children below the cutoff at the head, less those at the tail"),
    Field("difference", "int", "the same of the sums of their bounds"),
)
_LEVEL = Structure(
    "Level",
    Field("rows", "const u32*", "[job][ROW_WORDS]: time | time on the mirrored machine << 16"),
    Field("totals", "const u32*", "[machine]: work of all jobs | of the mirrored machine << 16"),
    Field("nodes", "const u32*", "[word of the state][capacity]"),
    Field("next", "u32*", "the same, of the next level"),
    Field("control", "Control*", "of this level; the next level's lies behind it"),
    Field("histogram", "u32*", "[BINS] of this level"),
    Field("keys", "u16*", "[job][capacity]: the bin of each child"),
    Field("samples", "float*", "[job][sampled]: keys"),
    Field("ahead", "u8*", "[group][capacity]: children at the head that are below the cutoff"),
    Field("behind", "u8*", "[group][capacity]: the same at the tail"),
    Field("survivors", "Survivors*", "[capacity]"),
    Field("kept", "i64*", "[node][slice]: children kept in earlier bins, then their running sum"),
    Field("ties", "i64*", "[node][slice]: children in the last bin, then their running sum"),
    Field("parents", "u32*", "[capacity] of each node of the next level"),
    Field("jobs", "u16*", "[capacity]: its job << 1 | direction"),
    Field("schedule", "u16*", "[JOBS]: the best schedule's jobs, last fixed first"),
    Field("capacity", "u64", "nodes that are kept, at most"),
    Field("sampled", "u64", "nodes that are sampled, at most"),
    Field("slices", "u64", "lanes that share a node"),
    Field("most", "u64", "nodes that this level can have"),
    Field("level", "u64", "jobs that are fixed"),
    Field("cutoff", "u64", "schedules of at least this makespan are of no use"),
    Field("weight", "double", "of idle time, at this level"),
)
STRUCTURES = (_CONTROL, _SURVIVORS, _LEVEL)


def fits_gpu(problem: FlowShop, cutoff: int) -> bool:
    """Tell whether all times below a cutoff are numbers of 16 bits.

    A start is less than the cutoff and the longest job.
    """
    times = problem.processing_times
    return max(cutoff + int(times.sum(1).max()), int(times.sum(0).max())) <= _LARGEST


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
        self._root = self._make_root(times)
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
            "calibrate": 4 * _BINS + 16,
            "sort": 4 * _BINS + shared,
            "threshold": 4 * 1024,
        }
        self._kernels: dict[str, tuple[Kernel, int]] = {
            name: device.prepare(module, name, self._threads(name), self._shared.get(name, 0))
            for name in (
                *("bound", "rate", "calibrate", "sort", "bin", "threshold"),
                *("count", "emit", "apply", "best", "trace"),
            )
        }
        self._groups: int = -(-jobs // _GROUP)
        self._sampled = max(512, _SAMPLED_CHILDREN // jobs)
        self._lanes: int = device.multiprocessors * _LANES_A_MULTIPROCESSOR
        self._rows = device.put(rows.ravel())
        self._totals = device.put(packed(totals, totals[::-1]))
        self._arrays: dict[str, DeviceArray] = {}
        self._held = 0

    @staticmethod
    def _threads(kernel: str) -> int:
        return {"calibrate": 1024, "threshold": 1024, "trace": 32}.get(kernel, _THREADS)

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
        return 2 * 4 * self._state_words + 2 * jobs + 2 * self._groups + 8 + 16 + 6 * jobs

    @property
    def widest(self) -> int:
        """Nodes a level for which the device has memory."""
        jobs = self._problem.jobs
        beside = jobs * (4 * self._sampled + 4 * _BINS) + 2**28
        held = self._held * self._node_bytes
        return max(
            1, int((_MEMORY_SHARE * self._device.free_memory() + held - beside) / self._node_bytes)
        )

    def _hold(self, width: int) -> None:
        """Have arrays for so many nodes a level."""
        if width <= self._held:
            return
        device, jobs = self._device, self._problem.jobs
        self._arrays.clear()
        self._held = 0
        sizes: dict[str, tuple[int, str]] = {
            "first": (self._state_words * width, "u4"),
            "second": (self._state_words * width, "u4"),
            "keys": (jobs * width, "u2"),
            "ahead": (self._groups * width, "u1"),
            "behind": (self._groups * width, "u1"),
            "survivors": (width, "i8"),
            "kept": (self._shares(width), "i8"),
            "ties": (self._shares(width), "i8"),
            "parents": (jobs * width, "u4"),
            "jobs": (jobs * width, "u2"),
            "samples": (jobs * self._sampled, "f4"),
            "schedule": (jobs, "u2"),
        }
        for name, (count, kind) in sizes.items():
            self._arrays[name] = device.empty(count, kind)
        self._held = width

    def release(self) -> None:
        """Give the memory of all levels back to the driver: other programs may want it."""
        if self._held:
            self._arrays.clear()
            self._held = 0
            self._device.trim()

    def _levels(self, width: int, weight: float, cutoff: int) -> AnyArray:
        """Return the structures of all levels, the last of which has no children."""
        device, jobs = self._device, self._problem.jobs
        levels = np.zeros(jobs + 1, _LEVEL.dtype)
        at = {name: device.address(array) for name, array in self._arrays.items()}
        number = np.arange(jobs + 1)
        levels["rows"], levels["totals"] = device.address(self._rows), device.address(self._totals)
        levels["nodes"] = np.where(number % 2, at["second"], at["first"])
        levels["next"] = np.where(number % 2, at["first"], at["second"])
        levels["control"] = device.address(self._control) + number * _CONTROL.bytes
        levels["histogram"] = device.address(self._histogram) + number * 4 * _BINS
        for name in (
            *("keys", "samples", "ahead", "behind", "survivors"),
            *("kept", "ties", "schedule"),
        ):
            levels[name] = at[name]
        levels["parents"] = at["parents"] + number * 4 * width
        levels["jobs"] = at["jobs"] + number * 2 * width
        levels["capacity"], levels["sampled"] = width, min(width, self._sampled)
        most = self._most(width)
        levels["slices"], levels["most"] = [self._slices(nodes) for nodes in most], most
        levels["level"], levels["cutoff"] = number, cutoff
        levels["weight"] = weight * np.maximum(0, jobs - number - 1) / jobs
        return levels

    def _most(self, width: int) -> list[int]:
        """Return how many nodes each level has at most."""
        most, jobs = [1], self._problem.jobs
        for fixed in range(jobs):
            most.append(min(width, most[-1] * (jobs - fixed)))
        return most

    def _slices(self, nodes: int) -> int:
        """Return how many lanes share a node of a level of so many."""
        return max(1, min(self._groups, self._lanes // nodes))

    def _shares(self, width: int) -> int:
        """Return how many shares of nodes a level has at most."""
        return max(width, min(self._lanes, width * self._groups))

    def _launch(self, name: str, level: int, nodes: int, slices: int = 1) -> None:
        """Start a kernel with a thread for each of so many nodes, or for each slice of one."""
        kernel, resident = self._kernels[name]
        threads = self._threads(name)
        blocks = max(1, -(-nodes // threads))
        if name == "sort":
            blocks = min(blocks, max(1, resident * self._device.multiprocessors // slices))
        address = self._device.address(self._structures) + level * _LEVEL.bytes
        self._device.launch(kernel, blocks * slices, threads, address, self._shared.get(name, 0))

    def search(
        self,
        width: int,
        *,
        weight: float,
        cutoff: int,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> BeamResult:
        """Run one beam; see `prunus.treesearch.beam.model.Beam`."""
        device, jobs = self._device, self._problem.jobs
        cutoff = min(cutoff, self._cutoff)
        self._hold(width)
        device.write(self._arrays["survivors"], np.zeros(1, np.int64))
        control = np.zeros(jobs + 1, _CONTROL.dtype)
        control["nodes"][0] = 1
        control["best"] = np.iinfo(np.uint64).max
        self._control = device.put(control.view(np.uint8))
        self._histogram = device.full((jobs + 1) * _BINS, 0, np.uint32)
        self._structures = device.put(self._levels(width, weight, cutoff).view(np.uint8))
        self._write_root(width)
        most = self._most(width)
        for level, nodes in enumerate(most[:-1]):
            slices = self._slices(nodes)
            self._launch("bound", level, nodes, slices)
            self._launch("rate", level, min(nodes, self._sampled), slices)
            self._launch("calibrate", level, 1)
            self._launch(
                "bin" if nodes <= min(width, self._sampled) else "sort", level, nodes, slices
            )
            self._launch("threshold", level, 1)
            self._launch("count", level, nodes, slices)
            for name in ("kept", "ties"):
                device.running_sum(self._arrays[name][: nodes * slices])
            self._launch("emit", level, nodes, slices)
            self._launch("apply", level, most[level + 1])
            if width >= _WIDE or level % _LEVELS_AHEAD == _LEVELS_AHEAD - 1:
                now = device.read(self._control).view(_CONTROL.dtype)[level + 1]
                if now["nodes"] == 0:
                    return BeamResult(None, None, not now["dropped"], int(now["evaluated"]))
                if should_stop():
                    return BeamResult(None, None, False, int(now["evaluated"]), stopped=True)
        nodes = most[-1]
        self._launch("best", jobs, nodes)
        self._launch("trace", jobs, 1)
        last = device.read(self._control).view(_CONTROL.dtype)[jobs]
        complete, evaluated = not last["dropped"], int(last["evaluated"])
        if last["nodes"] == 0:
            return BeamResult(None, None, complete, evaluated)
        makespan = int(last["best"]) >> 32
        fixed = device.read(self._arrays["schedule"])[:jobs].astype(np.int64)
        order = path_to_schedule(fixed[::-1] >> 1, fixed[::-1] & 1)
        return BeamResult(order, makespan, complete, evaluated)

    def _write_root(self, width: int) -> None:
        """Put the root where level 0 begins: one word in each row of ``width``."""
        device, array = self._device, self._arrays["first"]
        for word, value in enumerate(self._root):
            device.write(array[word * width : word * width + 1], np.array([value], np.uint32))
