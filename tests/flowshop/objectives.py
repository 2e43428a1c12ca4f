"""Instances with their objectives, as the methods see them."""

from __future__ import annotations

from prunus.flowshop.explorer_factory import FlowShopExplorerFactory
from prunus.flowshop.makespan import Makespan
from prunus.flowshop.problem import FlowShop
from prunus.flowshop.rules import Bound, Branching
from prunus.treesearch.options import StealingPolicy


def makespan_of(problem: FlowShop) -> Makespan:
    """Return an instance with the makespan, LB1 and the usual branching."""
    rules = StealingPolicy.POWER, Bound.LB1, Branching.MINBRANCH
    return Makespan(FlowShopExplorerFactory(problem, *rules))
