"""Measured speeds, thresholds and portions that decide how a subset sum is searched.

The speeds are of one core of an EPYC (Zen 4) and of one H200, see
``benchmarks/NOTES-subset-sum.md``. Only their ratios decide anything.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SubsetSumTuning:
    """Tuning values of subset sum; none of them changes an answer."""

    # Which method: expected seconds, benchmarks/subset_sum/cores.py and tables.py.
    four_list_s: float = 3.6e-9
    """Seconds of a core for each of the 2**(n/2) sums of a side, four lists."""
    two_list_generation_s: float = 9e-9
    """Seconds of a core to generate an entry of a sorted list."""
    two_list_search_s: float = 2.3e-9
    """Seconds of a core for each step of the search in two sorted lists."""
    wide_factor: float = 10.0
    """How much longer the two lists take where sums have three words."""
    word_s: float = 0.3e-9
    """Seconds of a core for a word of a bit set in its cache."""
    far_word_s: float = 1.6e-9
    """The same beyond the cache."""
    cache_bytes: int = 2**23
    """Bit sets up to this size are in the cache."""
    count_s: float = 2e-9
    """Seconds of a core to add one number of subsets."""
    gpu_start_s: float = 5e-4
    """Seconds until a GPU is at work."""
    gpu_key_s: float = 2.4e-12
    """Seconds of a GPU for a key of the four lists."""
    gpu_word_s: float = 8e-12
    """Seconds of a GPU for a word of a bit set."""
    gpu_generation_s: float = 2e-11
    """Seconds of a GPU to generate an entry of a sorted list."""
    gpu_search_s: float = 2.5e-12
    """Seconds of a GPU for a sum of a side, two lists."""
    gpu_closest_s: float = 8e-12
    """The same where the closest sum is sought."""
    portable_from_s: float = 0.25
    """Longer searches take the four lists, whose checkpoints any device can resume."""
    max_counted_log2: float = 20.0
    """The logarithm of the subsets that a GPU counts one by one, at most."""
    usual_memory_bytes: int = 2**30
    """Default limit of the memory of a search."""

    # What is tried before a proof: benchmarks/subset_sum/cores.py, dense and sparse instances.
    heuristics_from_s: float = 1.0
    """Heuristics are tried first if a proof is expected to take longer than this."""
    gpu_from_s: float = 2.0
    """A GPU is started automatically if the cores are expected to take longer than this."""
    sparse_density: float = 0.75
    """Below this density lattice reduction is likely to find a subset."""
    samples: int = 4
    """Number of small instances sampled from a dense one."""

    # How work is handed out: benchmarks/subset_sum/together.py.
    poll_s: float = 0.1
    """Seconds between two polls of the monitor."""
    portion_s: float = 0.03
    """Seconds of work in a core's portion."""
    gpu_portion_s: float = 0.08
    """Longest portion of a GPU; handing over a portion costs some tenths of a millisecond."""
    portion_share: float = 0.1
    """A GPU's portion, as a part of the time so far: a hit elsewhere goes unnoticed that long."""
    final_share: float = 1 / 1.5
    """Near the end a worker takes this part of what it could finish, since speeds change."""
    whole_portion_s: float = 1e-3
    """Less remaining work than this is not divided: another portion would cost more."""
    least_portion_s: float = 3e-4
    """Shortest portion: about the cost of handing it to a GPU."""
    cores_join_from_s: float = 0.5
    """The cores join the GPUs only if these need longer than this."""
    cores_share: float = 0.02
    """The cores join only above this share of the GPUs' speed; 32 cores cost an H200 0.06."""
    gpu_keys_per_s: float = 3e11
    """Expected keys per second of a GPU, four lists, until measured."""
    gpu_sums_per_s: float = 1e11
    """Expected sums per second of a GPU, two lists: a quarter of what one H200 does."""
    core_run_s: float = 6e-9
    """Seconds of a core to locate a run of keys of a residue."""
    core_key_s: float = 4.4e-9
    """Seconds of a core per key of a run."""
    gpu_residues: int = 512
    """Residues that keep a GPU busy."""
    executor_task_s: float = 0.4
    """Seconds of a task for an executor."""
    executor_tasks_ahead: int = 3
    """Tasks in flight per worker of an executor."""


TUNING = SubsetSumTuning()
"""The default values."""
