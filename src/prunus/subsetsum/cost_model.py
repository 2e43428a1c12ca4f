"""Which method an instance is for: the fastest that fits the memory, from measured speeds."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from prunus.hardware.memory import usable_memory
from prunus.subsetsum.dynamic_programming import bitset, counting
from prunus.subsetsum.gpu import two_list as two_list_on_gpu
from prunus.subsetsum.two_lists import cpu as two_list

__all__ = [
    "Costs",
    "available_memory",
    "cheapest",
    "cheapest_on_gpu",
    "cpu_costs",
    "effective_items",
    "gpu_costs",
]

_PIECE = 3.6e-9
"""Seconds for each of the 2**(n/2) sums of a side, four lists."""
_GENERATE, _SEARCH = 9e-9, 2.3e-9
"""Seconds for each place of a list, two lists."""
_WIDE = 10
"""How much longer sums of three words take."""
_WORD, _WORD_FAR, _CACHE = 0.3e-9, 1.6e-9, 2**23
"""Seconds for a word of a bit set in the cache and out of it, and how many bytes are in it."""
_CELL = 2e-9
"""Seconds to add one number of subsets."""
_GPU_START = 5e-4
"""Seconds until a GPU is at work."""
_GPU_KEY, _GPU_WORD = 2.4e-12, 8e-12
"""Seconds of a GPU for a key of the four lists, a word of a bit set."""
_GPU_LISTS, _GPU_SEARCH, _GPU_CLOSEST = 2e-11, 2.5e-12, 8e-12
"""Seconds for a place of the two lists, a sum of a side, one of which the closest is sought."""
_SHORT = 0.25
"""Seconds that nobody stops, to go on with on any device: the two lists of a GPU are for GPUs."""
_MANY = 20
"""The logarithm of the subsets that a GPU counts one by one, at most."""
_DEFAULT_MEMORY = 2**30
_LARGEST = 1000

Costs = dict[str, float]
"""Seconds on one core by method, infinite where it cannot be used."""


def available_memory() -> int:
    """Return the bytes a search takes without being asked: 1 GiB, or half of what is free."""
    return min(_DEFAULT_MEMORY, usable_memory())


def effective_items(weights: Sequence[int]) -> float:
    """Return the logarithm of the number of sums: c equal weights have c + 1, not 2**c."""
    return sum(math.log2(count + 1) for count in Counter(weights).values())


def cpu_costs(weights: Sequence[int], target: int, objective: str, memory: int) -> Costs:
    """Estimate the time of each method, if nothing is found before the end."""
    n = len(weights)
    # Where nothing is fast enough to tell, the first is begun: it makes its lists of some items.
    general = "two-list" if objective == "closest" else "four-list"
    found: Costs = dict.fromkeys((general, "four-list", "two-list", "bitset"), math.inf)
    if objective == "count":
        if counting.bytes_needed(target) <= memory:
            found["bitset"] = _CELL * n * target * counting.passes(n)
    elif bitset.bytes_needed(n, target) <= memory:
        word = _WORD if target // 8 < _CACHE else _WORD_FAR
        found["bitset"] = word * n * (target // 64 + 1)
    wide = sum(weights) >= 2**63
    if n <= _LARGEST and not (wide and objective != "closest"):
        fixed = two_list.fixed_items(n, memory, wide=wide)
        lists, search = 2.0 ** ((n - fixed) / 2), 2.0 ** ((n + fixed) / 2)
        found["two-list"] = (_WIDE if wide else 1) * (_GENERATE * lists + _SEARCH * search)
    if objective != "closest":
        items = effective_items(weights)
        spread = max(0.0, items - 4 * 20)
        found["four-list"] = _PIECE * 2.0 ** min(1000.0, (items + spread) / 2)
    return found


def gpu_costs(
    weights: Sequence[int], target: int, objective: str, fits: two_list_on_gpu.Fits, gpus: int = 1
) -> Costs:
    """Estimate the time of each method on some GPUs, all of which have the memory that fits."""
    n = len(weights)
    found: Costs = dict.fromkeys(("four-list", "two-list", "bitset"), math.inf)
    if objective != "closest" and _few(weights, objective):
        found["four-list"] = _GPU_START + 3 * _GPU_KEY * 2.0 ** min(1000.0, n / 2) / gpus
    if objective != "count":
        if n <= _LARGEST and sum(weights) < 2**63:
            closest = objective == "closest"
            fixed = two_list_on_gpu.fixed_items(n, fits, closest=closest)
            sums = two_list_on_gpu.places(n, fixed, closest=closest)
            speed = _GPU_CLOSEST if closest else _GPU_SEARCH
            made = _GPU_LISTS * 2.0 ** ((n - fixed) / 2)
            found["two-list"] = _GPU_START + made + speed * sums / gpus
        seconds = _GPU_START + n * (1e-5 + _GPU_WORD * (target // 64))
        # A driver takes its time to tell what fits, so it is asked only if it matters.
        if seconds < min(found.values()) and fits(bitset.bytes_needed(n, target)):
            found["bitset"] = seconds
    return found


def _few(weights: Sequence[int], objective: str) -> bool:
    """Whether a GPU can look at every subset that it has to count."""
    if objective != "count":
        return True
    spread = math.log2(1 + math.isqrt(sum(weight**2 for weight in weights)))
    return len(weights) - spread < _MANY and effective_items(weights) > 0.95 * len(weights)


def cheapest(found: Costs) -> str:
    """Return the method with the least cost."""
    return min(found, key=lambda method: found[method])


def cheapest_on_gpu(found: Costs) -> str:
    """Return the method with the least cost; of a long search, one that any device goes on with."""
    if found["two-list"] > _SHORT and found["four-list"] < math.inf:
        found = {**found, "two-list": math.inf}
    return cheapest(found)
