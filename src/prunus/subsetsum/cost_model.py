"""Which method an instance is for: the cheapest that fits the memory, from measured costs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from prunus.hardware.memory import usable_memory
from prunus.subsetsum.dynamic_programming import bitset, counting
from prunus.subsetsum.gpu import list_sizes
from prunus.subsetsum.tuning import TUNING
from prunus.subsetsum.two_lists import cpu as two_list

_LARGEST = 1000
"""Above this number of items no list is estimated: its length would overflow a float."""

Costs = dict[str, float]
"""By method, in keys of a core (see ``tuning``); infinite where it cannot be used."""


def available_memory() -> int:
    """Return the default memory limit of a search: 1 GiB, or half of what is free."""
    return min(TUNING.usual_memory_bytes, usable_memory())


def effective_items(weights: Sequence[int]) -> float:
    """Return the logarithm of the number of sums: c equal weights have c + 1, not 2**c."""
    return sum(math.log2(count + 1) for count in Counter(weights).values())


def cpu_costs(
    weights: Sequence[int],
    target: int,
    objective: str,
    memory: int,
) -> Costs:
    """Estimate the cost of each method, if nothing is found before the end."""
    n = len(weights)
    # If all are infinite the first method is chosen: it lists some items and fixes the rest.
    general = "two-list" if objective == "closest" else "four-list"
    found: Costs = dict.fromkeys((general, "four-list", "two-list", "bitset"), math.inf)
    if objective == "count":
        if counting.bytes_needed(target) <= memory:
            found["bitset"] = TUNING.number * n * target * counting.passes(n)
    elif bitset.bytes_needed(n, target) <= memory:
        word = TUNING.word if target // 8 < TUNING.cache_bytes else TUNING.far_word
        found["bitset"] = word * n * (target // 64 + 1)
    wide = sum(weights) >= 2**63
    if n <= _LARGEST and not (wide and objective != "closest"):
        fixed = two_list.fixed_items(n, memory, wide=wide)
        lists, search = 2.0 ** ((n - fixed) / 2), 2.0 ** ((n + fixed) / 2)
        found["two-list"] = (TUNING.wide_factor if wide else 1) * (
            TUNING.generation * lists + TUNING.step * search
        )
    if objective != "closest":
        items = effective_items(weights)
        spread = max(0.0, items - 4 * 20)
        found["four-list"] = 2.0 ** min(1000.0, (items + spread) / 2)
    return found


def gpu_costs(
    weights: Sequence[int],
    target: int,
    objective: str,
    fits: list_sizes.Fits,
    gpus: int = 1,
) -> Costs:
    """Estimate the cost of each method on some GPUs, all of which have the memory that fits."""
    n = len(weights)
    found: Costs = dict.fromkeys(("four-list", "two-list", "bitset"), math.inf)
    if objective != "closest" and _few(weights, objective):
        found["four-list"] = (
            TUNING.gpu_start + 3 * TUNING.gpu_key * 2.0 ** min(1000.0, n / 2) / gpus
        )
    if objective != "count":
        if n <= _LARGEST and sum(weights) < 2**63:
            closest = objective == "closest"
            fixed = list_sizes.fixed_items(n, fits, closest=closest)
            sums = list_sizes.places(n, fixed, closest=closest)
            speed = TUNING.gpu_closest if closest else TUNING.gpu_sum
            made = TUNING.gpu_generation * 2.0 ** ((n - fixed) / 2)
            found["two-list"] = TUNING.gpu_start + made + speed * sums / gpus
        cost = TUNING.gpu_start + n * (TUNING.gpu_pass + TUNING.gpu_word * (target // 64))
        # Asking the driver for free memory is slow, so it is asked only where it matters.
        if cost < min(found.values()) and fits(bitset.bytes_needed(n, target)):
            found["bitset"] = cost
    return found


def _few(weights: Sequence[int], objective: str) -> bool:
    """Whether a GPU can look at every subset that it has to count."""
    if objective != "count":
        return True
    spread = math.log2(1 + math.isqrt(sum(weight**2 for weight in weights)))
    return len(weights) - spread < TUNING.max_counted_log2 and effective_items(
        weights
    ) > 0.95 * len(weights)


def cheapest(found: Costs) -> str:
    """Return the method with the least cost."""
    return min(found, key=lambda method: found[method])


def cheapest_on_gpu(found: Costs) -> str:
    """Return the cheapest method; for long searches, one whose checkpoints suit any device."""
    if found["two-list"] > TUNING.portable_from and found["four-list"] < math.inf:
        found = {**found, "two-list": math.inf}
    return cheapest(found)
