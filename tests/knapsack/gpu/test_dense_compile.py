"""The dense method's kernels compile for every architecture, without a GPU."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from prunus.cuda import compile_only
from prunus.knapsack.gpu.dense_passes import CHAIN, LONG, MANY, TIED, TILE
from prunus.knapsack.gpu.dense_shape import shape

pytest.importorskip("cupy")

CARDS = {"sm_80": 163, "sm_90": 227, "sm_100": 227}
KINDS = (CHAIN, TILE, "trace chain", "trace tile", "join")


def check(architecture, kind, bits):
    """Compile as for a card with so many KiB of shared memory."""
    card = SimpleNamespace(warp=32, shared_limit=CARDS[architecture] * 1024)
    form = shape(card, *bits).forms[kind]
    assert form.shared <= card.shared_limit
    assert compile_only(form.file, form.constants, architecture)[:4] == b"\x7fELF"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("architecture", CARDS)
def test_common_kernels_compile(architecture, kind):
    """Those for values of 32 bits make machine code."""
    check(architecture, kind, (32, 32))


@pytest.mark.slow
@pytest.mark.parametrize("bits", [(32, 32), (64, 32), (64, 64)])
@pytest.mark.parametrize("kind", [*KINDS, MANY, TIED, LONG])
@pytest.mark.parametrize("architecture", CARDS)
def test_all_kernels_compile(architecture, kind, bits):
    """So do all widths of values and all kinds of passes."""
    check(architecture, kind, bits)
