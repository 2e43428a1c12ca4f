"""How a portfolio shares its devices."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PortfolioTuning:
    """How the cores are shared, when all devices search the tree, and for how long."""

    at_once_ns: float = 5e7
    """A tree that seems to take no longer gets all cores at once."""
    tree_factor: float = 12.0
    """So does one that seems to take no more than so many times what heuristics have taken: they
    are worth their time only while the tree is large, and a better solution makes it smaller."""
    reachable_share: float = 0.5
    """Under a limit, so does one that seems to take no more than this part of what is left, when
    the heuristics have had their usual time."""
    hopeless_factor: float = 3.0
    """Under a limit, one that seems to take longer than so many times what is left is hopeless: a
    lower bound is raised instead."""
    sure_error: float = 0.35
    """What lower trees say of a tree is mostly right up to this standard deviation, in decades."""
    sure_factor: float = 3.0
    """Then it is searched for so many times as long as it seems to take, at most."""
    longer_share: float = 0.1
    longer_factor: float = 3.0
    """Without a limit, beams on GPUs have this part of what the tree seems to take, if that is more
    than their usual time, and at most so many times their usual time: a better solution makes it
    smaller."""
    side_share: float = 0.125
    """Of all cores (but one core at most): for the tree beside heuristics, or for the lower
    bound."""
    slow_share: float = 0.125
    """Of that, for a lower bound that will not meet the incumbent: what it is raised to in a second
    is nearly all of what it gains in a minute."""
    growth_nodes: int = 1_000_000
    """Under a limit, where samples of the tree are mostly too small, the lower bound is raised
    from the first until a tree below a target had so many nodes: they tell how fast trees grow."""
    gpu_cores: float = 1500.0
    """So many cores branch as many nodes as a GPU, about: 1300 on 20 x 20, 1700 on 50 x 20."""
    gpu_slice_ns: float = 4e6
    """Chains look so often for better solutions where a tree of few items is searched on a GPU."""
    gpu_first_s: float = 0.25
    gpu_first_share: float = 0.5
    """GPUs try the tree first for so many seconds, or for this part of what is left of a limit."""
    least_s: float = 0.25
    """Later tries, and all of cores, last at least so many seconds."""
    cores_share: float = 0.5
    cores_rest: float = 1.0
    gpus_share: float = 0.2
    gpus_rest: float = 4.0
    """A tree whose estimates are not to be trusted is searched by all cores, or GPUs, for this part
    of the time so far, and then not for so many times as long. Cores go on with what they have left
    open; GPUs search below targets, so that it gets known how fast trees grow."""
    rate_nodes: float = 1e8
    """A tree with so many nodes says how fast GPUs are: smaller ones do not fill them."""
    again_factor: float = 12.0
    """As long as that is not known, again when it seems to take no more than so many times that."""
    gpu_direct_s: float = 120.0
    gpu_direct_factor: float = 3.0
    """A tree of few items that seems to take GPUs no longer is searched below the incumbent, for so
    many times as long as it seems to take, before targets are raised from below."""


TUNING = PortfolioTuning()
