"""Costs, thresholds and portions that decide how a subset sum is searched; none changes an answer.

Costs are counted in keys: one is what a core does for each of the 2**(n/2) sums of a side by four
lists. They were measured on an EPYC (Zen 4), where a key takes 3.6 ns, and an H200, see
``benchmarks/NOTES-subset-sum.md``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SubsetSumTuning:
    """Tuning values of subset sum; none of them changes an answer."""

    # Which method, in keys: benchmarks/subset_sum/cores.py and tables.py.
    generation: float = 2.5
    """An entry of a sorted list that a core generates."""
    step: float = 0.64
    """A step of a core's search in two sorted lists."""
    wide_factor: float = 5.0
    """How much more the two lists take where sums have three words."""
    word: float = 0.08
    """A word of a bit set in a core's cache."""
    far_word: float = 0.45
    """The same beyond the cache."""
    cache_bytes: int = 2**23
    """Bit sets up to this size are in the cache."""
    number: float = 0.55
    """A number of subsets that a core adds to another."""
    gpu_start: float = 1.4e5
    """Until a GPU is at work."""
    gpu_pass: float = 3e3
    """A launch of a kernel that adds items to a bit set."""
    gpu_key: float = 7e-4
    """A key of the four lists on a GPU."""
    gpu_word: float = 2.2e-3
    """A word of a bit set on a GPU."""
    gpu_generation: float = 5.5e-3
    """An entry of a sorted list that a GPU generates."""
    gpu_sum: float = 7e-4
    """A sum of a side, two lists on a GPU."""
    gpu_closest: float = 2.2e-3
    """The same where the closest sum is sought."""
    portable_from: float = 7e7
    """Longer searches take the four lists, whose checkpoints any device can resume."""
    max_counted_log2: float = 20.0
    """The logarithm of the subsets that a GPU counts one by one, at most."""
    usual_memory_bytes: int = 2**30
    """Default limit of the memory of a search."""

    # What is tried before a proof: benchmarks/subset_sum/cores.py, dense and sparse instances.
    heuristics_from: float = 2.8e8
    """Heuristics are tried first if a proof is expected to take more keys than this."""
    gpu_from: float = 5.6e8
    """A GPU is started automatically if each core is expected to take more keys than this."""
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
