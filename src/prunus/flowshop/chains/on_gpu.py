"""Iterated greedy on a GPU: as many chains as it holds, in slices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from prunus.errors import DeviceError
from prunus.flowshop.chains.islands import Islands
from prunus.flowshop.chains.layout import CHAINS
from prunus.flowshop.problem import FlowShop
from prunus.hardware.device import Device
from prunus.model.arrays import Int64Array
from prunus.treesearch.portfolio.pairs import sources_in_pairs

_FILE = "flowshop/chains/chains.cu"
_RESERVED_BYTES = 1024
"""Shared memory that each block takes for itself."""
_BESIDE_BYTES = 1024
"""What a chain takes beside its tables, its schedule and the times, at most."""
_WARPS = 4
"""Of a chain: two jobs share a few lanes."""
_MOST_BLOCKS = 16
"""Of one multiprocessor: more leave a thread too few registers."""
_LARGEST, _LONGEST_BYTE = 2**16 - 1, 255
"""Times are 16-bit numbers in shared memory."""
_WORSE = 1.25
"""Makespans of chains are at most so many times that of the first schedule."""


@dataclass(frozen=True, slots=True)
class ChainTuning:
    """The parameters of iterated greedy in many chains."""

    removed_jobs: int = 1
    """Taken out in one iteration."""
    temperature: float = 0.2
    """How much worse a schedule is readily accepted at first, in mean processing times."""
    last_temperature: float = 0.09
    """The same at the end; it falls by the same factor in equal times."""
    tolerated: float = 1.5
    """By how many temperatures a chain is readily worse than another and goes its own way."""
    close: float = 0.3
    """A job whose best other place was less worse than that, in mean times, is rated again."""
    rest: float = 100.0
    """The others are after so many changes of the schedule for each mean time more."""
    jobs_at_once: int = 300
    """A multiprocessor has chains of so many jobs together: fewer chains get further."""

    def temperature_after(self, passed: float) -> float:
        """Return the temperature when that share of the time has passed."""
        first, last = self.temperature, self.last_temperature
        return first * (last / first) ** passed if first else 0.0


TUNING = ChainTuning()


def _lanes(machines: int) -> int:
    """Return how many lanes share the machines of a schedule."""
    return 4 if machines <= 32 else 8 if machines <= 64 else 16


def shared_bytes(times: Int64Array, threads: int, *, wide: bool) -> int:
    """Return how much shared memory a chain takes.

    ``wide``: with all numbers in both halves of a word.
    """
    jobs, machines = times.shape
    lanes = _lanes(machines)
    fours = -(-machines // (4 * lanes))
    row, margin = 4 * lanes * fours, lanes
    tables = 2 * (4 if wide else 2) * (jobs + 1 + 2 * margin) * row
    rows = (4 if wide else 1 + _are_long(times)) * (jobs + 1) * row
    return int(
        _BESIDE_BYTES + tables + rows + 20 * jobs + 8 * margin * fours + 14 * 2 * threads // lanes
    )


def _are_long(times: Int64Array) -> bool:
    """Tell whether processing times take two bytes."""
    return int(times.max()) > _LONGEST_BYTE


def fits_chains(problem: FlowShop, device: Device, cutoff: int) -> bool:
    """Tell whether the tables of a chain have room, and times below a cutoff are of 16 bits."""
    times = problem.processing_times
    room = shared_bytes(times, _WARPS * device.warp, wide=False) <= device.shared_limit
    # A worse schedule than the first, and a job more.
    longest = int(_WORSE * cutoff) + 2 * int(times.sum(1).max())
    wide = problem.machines <= 4 * device.warp
    return room and wide and longest <= _LARGEST and problem.jobs > TUNING.removed_jobs


def _constants(times: Int64Array, device: Device, tuning: ChainTuning) -> dict[str, int]:
    """Return what the kernel is compiled for."""
    jobs, machines = times.shape
    threads = _WARPS * device.warp
    most = max(1, min(_MOST_BLOCKS, tuning.jobs_at_once // jobs))
    narrow, wide = (shared_bytes(times, threads, wide=wide) for wide in (False, True))
    room = device.shared_total
    blocks = max(1, min(most, room // (narrow + _RESERVED_BYTES)))
    is_wide = wide <= min(device.shared_limit, room // blocks - _RESERVED_BYTES)
    return {
        "JOBS": jobs,
        "MACHINES": machines,
        "THREADS": threads,
        "REMOVED": tuning.removed_jobs,
        "LONG_TIMES": int(_are_long(times)),
        "WIDE": int(is_wide),
        "SHARED_BYTES": wide if is_wide else narrow,
        "BLOCKS": blocks,
    }


def begin_compiling(problem: FlowShop, device: Device, tuning: ChainTuning = TUNING) -> None:
    """Let the kernel be compiled in the background."""
    device.begin_compiling(_FILE, _constants(problem.processing_times, device, tuning))


class GpuChains:
    """Chains of iterated greedy on one GPU, which begin with one schedule, or with some in turn.

    After a slice they meet in pairs, and the worse one goes on from the other's schedule, more
    likely the worse it is, as measured by the temperature. With ``islands`` they also meet those of
    other GPUs.
    """

    def __init__(
        self,
        problem: FlowShop,
        device: Device,
        starts: Int64Array,
        *,
        seed: Sequence[int] = (0,),
        tuning: ChainTuning = TUNING,
        islands: Islands | None = None,
    ) -> None:
        times = problem.processing_times
        jobs = problem.jobs
        self._problem, self._device, self._tuning = problem, device, tuning
        self._islands = islands or Islands()
        constants = _constants(times, device, tuning)
        self._shared, self._threads = constants["SHARED_BYTES"], constants["THREADS"]
        module = device.compile(_FILE, constants)
        self._kernel, resident = device.prepare(module, "iterate", self._threads, self._shared)
        if resident == 0:
            raise DeviceError("the shop is too large for iterated greedy on this GPU")
        self.chains = count = min(resident, constants["BLOCKS"]) * device.multiprocessors
        self._chooser = np.random.default_rng(seed)
        random = self._chooser.integers(0, 2**64, count, np.uint64, endpoint=False)
        begun = np.reshape(starts, (-1, jobs)).astype(np.uint16)
        costs = [problem.evaluate(start) for start in begun]
        self._held = {
            "times": device.put(times.astype(np.uint16).ravel()),
            "from": device.put(np.resize(begun, (count, jobs)).ravel()),
            "source": device.put(np.arange(count, dtype=np.uint32)),
            "to": device.empty(count * jobs, np.uint16),
            "best": device.empty(count * jobs, np.uint16),
            "costs": device.put(np.resize(np.array(costs, np.int32), count)),
            "next_costs": device.empty(count, np.int32),
            "best_costs": device.empty(count, np.int32),
            "random": device.put(random),
            "moves": device.full(count, 0, np.uint64),
            "stopped": device.full(1, 0, np.uint64),
        }
        self._stop, stop_address = device.mapped(1)
        self._record = np.zeros(1, CHAINS.dtype)
        for name, array in self._held.items():
            self._record[name] = device.address(array)
        self._record["stop"] = stop_address
        self._mean_time = mean = float(times.mean())
        self._record["close"] = tuning.close * mean
        self._record["rest"] = tuning.rest / max(mean, 1.0)

    @property
    def moves(self) -> int:
        """How many insertions have been tried."""
        return int(self._device.read(self._held["moves"]).sum())

    @property
    def schedules(self) -> Int64Array:
        """Those that the chains have, one a row."""
        flat = self._device.read(self._held["from"]).astype(np.int64)
        return np.asarray(flat.reshape(self.chains, -1))

    @property
    def costs(self) -> Int64Array:
        """The makespans of these schedules."""
        return np.asarray(self._device.read(self._held["costs"]).astype(np.int64))

    def stop(self) -> None:
        """End a running slice after the passes that chains are in; may be called by any thread."""
        self._stop[0] = 1

    def run(self, iterations: int, passed: float = 0.0) -> Int64Array:
        """Go on for a slice; return the best schedule of the slice.

        ``passed`` is the share of the time for all slices that has passed.
        """
        device, held, record = self._device, self._held, self._record
        record["iterations"] = iterations
        record["slice"] += 1
        temperature = self._mean_time * self._tuning.temperature_after(passed)
        record["temperature"] = temperature
        self._arguments = device.put(record.view(np.uint8))
        address = device.address(self._arguments)
        device.launch(self._kernel, self.chains, self._threads, address, self._shared)
        best = int(device.read(held["best_costs"]).argmin())
        self._stop[0] = 0
        for first, second in (("from", "to"), ("costs", "next_costs")):
            held[first], held[second] = held[second], held[first]
            for name in (first, second):
                record[name] = device.address(held[name])
        self._meet(self._tuning.tolerated * temperature)
        jobs = self._problem.jobs
        return device.read(held["best"][best * jobs : (best + 1) * jobs]).astype(np.int64)

    def _meet(self, readily: float) -> None:
        """Let chains that are worse go on from the schedules of others, here or on other GPUs."""
        device, held = self._device, self._held
        costs = device.read(held["costs"])
        schedules = device.read(held["from"]).reshape(self.chains, -1)
        groups = [(costs, schedules), *self._islands.exchange(self, costs, schedules)]
        all_costs, all_schedules = map(np.concatenate, zip(*groups, strict=True))
        source = sources_in_pairs(all_costs, readily, self._chooser)[: self.chains]
        (moved,) = np.nonzero(source >= self.chains)
        if moved.size:
            schedules[moved], costs[moved] = all_schedules[source[moved]], all_costs[source[moved]]
            source[moved] = moved
            device.write(held["from"], schedules.ravel())
            device.write(held["costs"], costs)
        device.write(held["source"], source)
