"""Dynamic programming over small targets, watched by the monitor."""

from __future__ import annotations

from typing import Any

from prunus.errors import OptionError
from prunus.hardware.device import Device
from prunus.runtime.outcome import Outcome
from prunus.subsetsum.dynamic_programming import bitset, counting
from prunus.subsetsum.reporter import Reporter
from prunus.subsetsum.tuning import TUNING


def solve_by_bitset(
    report: Reporter,
    objective: str,
    memory: int,
    device: Device | None,
) -> Outcome:
    """Answer by dynamic programming on one core, or on a GPU.

    The host may give ``memory`` bytes; ``device`` is a GPU with memory enough for the bits, or
    None. Raises ``InputError`` if the memory is too small.
    """
    weights, target, monitor = report.reduced.weights, report.reduced.target, report.monitor
    n = len(weights)
    counting_all = objective == "count"
    needed = counting.bytes_needed(target) if counting_all else bitset.bytes_needed(n, target)
    if needed > memory and device is None:
        raise OptionError(
            "method",
            f"needs {needed >> 20:,} MiB for this target; use another method, or give more "
            "{memory}",
            "bitset",
        )
    steps = n * counting.passes(n) if counting_all else 3 * n
    last = [monitor.elapsed]

    def keep_going(done: int) -> bool:
        if monitor.elapsed - last[0] < TUNING.poll_s and monitor.time_left > 0:
            return True
        last[0] = monitor.elapsed
        return not monitor.poll("dynamic programming", explored=min(1.0, done / steps))

    report.devices = ("cpu:1",) if device is None else (f"cuda:{device.index}",)
    if counting_all:
        count = counting.count_subsets(weights, target, keep_going)
        return report.end("bitset", count=count or 0, complete=count is not None)
    closest = objective == "closest"
    table: bitset.ReachableSums[Any] = bitset.CpuReachableSums(weights, target, closest)
    if device is not None:
        from prunus.subsetsum.gpu.bitset import GpuReachableSums

        table = GpuReachableSums(weights, target, closest, device)
    chosen = bitset.largest_reachable(table, keep_going, closest=closest)
    return report.end("bitset", chosen, complete=not report.stopped or chosen is not None)
