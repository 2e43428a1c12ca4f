"""What was measured and decides how a subset sum is searched: speeds, thresholds, portions.

The speeds are of one core of an EPYC (Zen 4) and of one H200, see
``benchmarks/NOTES-subset-sum.md``. Only their ratios decide anything.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["TUNING", "SubsetSumTuning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SubsetSumTuning:
    """Every value that may be changed without changing an answer."""

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
    """Searches longer than this take the four lists, with which any device can go on."""
    max_counted_log2: float = 20.0
    """The logarithm of the subsets that a GPU counts one by one, at most."""
    usual_memory_bytes: int = 2**30
    """What a search takes without being asked, at most."""

    # What is tried before a proof: benchmarks/subset_sum/cores.py, dense and sparse instances.
    heuristics_from_s: float = 1.0
    """A proof must be expected to take this long before something that proves nothing is tried."""
    gpu_from_s: float = 2.0
    """The cores must be expected to take this long before a GPU is started unasked."""
    sparse_density: float = 0.75
    """Below this density lattice reduction is likely to find a subset."""
    samples: int = 4
    """Small instances that are tried within a dense one."""

    # How work is handed out: benchmarks/subset_sum/together.py.
    poll_s: float = 0.1
    """Seconds between two polls of the monitor."""
    portion_s: float = 0.03
    """Seconds of work that a core takes at once."""
    gpu_portion_s: float = 0.08
    """The same of a GPU at most: handing it over costs some tenths of a millisecond."""
    portion_share: float = 0.1
    """A GPU's portion takes this part of the time so far: so long a hit elsewhere is not known."""
    final_share: float = 1 / 1.5
    """Of what it could take at the end a worker takes this part, for speeds change."""
    whole_portion_s: float = 1e-3
    """Less work than this is taken as a whole: its error costs less than another portion."""
    least_portion_s: float = 3e-4
    """Seconds of a portion at least: about what handing it to a GPU costs."""
    cores_join_from_s: float = 0.5
    """Seconds the GPUs must still need before the cores beside them join in."""
    cores_share: float = 0.02
    """What the cores must do of what the GPUs do to join in; 32 beside an H200 cost it 0.06."""
    gpu_keys_per_s: float = 3e11
    """Keys of the four lists that a GPU is expected to do a second, until it is measured."""
    gpu_sums_per_s: float = 1e11
    """Sums of the two lists, likewise: a quarter of what one H200 does."""
    core_run_s: float = 6e-9
    """Seconds in which a core finds a run of the keys of a residue."""
    core_key_s: float = 4.4e-9
    """Seconds in which it runs through one of them."""
    gpu_residues: int = 512
    """Residues that keep a GPU busy."""
    executor_task_s: float = 0.4
    """Seconds of a task for an executor."""
    executor_tasks_ahead: int = 3
    """Tasks for each worker of an executor that are out at the same time."""


TUNING = SubsetSumTuning()
"""The values that are used."""
