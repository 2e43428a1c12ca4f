"""Who may ask whom, and for how much."""

from __future__ import annotations

import types

import pytest

from prunus.treesearch.options import StealingPolicy
from prunus.treesearch.scheduler.member import Member
from prunus.treesearch.scheduler.shares import PATIENCE, PAUSE, in_reserve, may_ask, share


def member(power):
    """A member whose explorer has nothing but a power."""
    return Member(types.SimpleNamespace(power=power, reliable=True))


def test_equals_share_in_half():
    """Two cores, or two GPUs, give each other half under every policy."""
    for power in (1.0, 400.0):
        for policy in (StealingPolicy.POWER, StealingPolicy.HALF):
            assert share(policy, member(power), member(power)) == pytest.approx(0.5)


def test_a_share_follows_the_power():
    """A GPU takes all a core has, a core next to nothing of a GPU's."""
    gpu, core = member(399.0), member(1.0)
    assert share(StealingPolicy.POWER, gpu, core) == 1.0
    assert share(StealingPolicy.POWER, core, gpu) == pytest.approx(1 / 400)
    assert share(StealingPolicy.HALF, core, gpu) == 0.5


def test_several_thieves_get_alike():
    """Three GPUs that ask a fourth one after the other end with a quarter each."""
    victim, thieves = member(400.0), [member(400.0) for _ in range(3)]
    left, got = 1.0, []
    while thieves:
        thief = thieves.pop(0)
        got.append(left * share(StealingPolicy.POWER, thief, victim, thieves))
        left -= got[-1]
    assert [*got, left] == pytest.approx([0.25] * 4)


def test_weak_thieves_are_patient():
    """A core leaves a GPU alone at first, and after each gift; a GPU may always ask."""
    gpu, core = member(400.0), member(1.0)
    assert not may_ask(StealingPolicy.POWER, core, gpu, PATIENCE / 2)
    assert may_ask(StealingPolicy.POWER, core, gpu, PATIENCE * 2)
    gpu.last_gift = PATIENCE * 2
    assert not may_ask(StealingPolicy.POWER, core, gpu, PATIENCE * 2 + PAUSE / 2)
    assert may_ask(StealingPolicy.POWER, core, gpu, PATIENCE * 2 + PAUSE * 2)
    assert may_ask(StealingPolicy.POWER, gpu, core, 0.0)
    assert may_ask(StealingPolicy.HALF, core, gpu, 0.0)


def test_a_few_cores_beside_a_gpu_stay_in_reserve():
    """They would cost more than they do; many cores, equals and the paper's policy take part."""
    gpu, cores = member(400.0), [member(1.0) for _ in range(64)]
    assert in_reserve(StealingPolicy.POWER, [gpu, *cores[:15]])
    assert not in_reserve(StealingPolicy.POWER, [gpu, *cores])
    gpu.failed = "lost"
    assert in_reserve(StealingPolicy.POWER, [gpu, *cores[:15]])  # there are no weak ones then
