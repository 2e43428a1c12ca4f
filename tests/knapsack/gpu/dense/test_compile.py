"""The dense method's kernels compile for every architecture, without a GPU."""

from __future__ import annotations

import pytest

from prunus.knapsack.gpu.dense.kernels import PACKED, choose_kernels
from prunus.knapsack.gpu.dense.passes import CHAIN, IDENTICAL, LONG_CHAIN, TILE
from tests.hardware.cuda.compilers import ARCHITECTURES, CARDS, check_compiles

KINDS = (CHAIN, TILE, "trace chain", "trace tile", "best sum", IDENTICAL)


def check(architecture, kind, bits):
    """Compile as for a card of that kind."""
    card = CARDS[architecture]
    config = choose_kernels(card, *bits).configs.get(kind)
    if config is None:
        pytest.skip("not for this card")
    assert config.shared <= card.shared_limit
    check_compiles(config.file, config.constants, architecture)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_common_kernels_compile(architecture, kind):
    """Those for values of 32 bits make machine code."""
    check(architecture, kind, (32, 32))


@pytest.mark.slow
@pytest.mark.parametrize("bits", [(32, 32), (64, 32), (64, 64)])
@pytest.mark.parametrize("kind", [*KINDS, LONG_CHAIN, PACKED])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_all_kernels_compile(architecture, kind, bits):
    """So do all widths of values and all kinds of passes."""
    check(architecture, kind, bits)
