"""The dense method's kernels compile for every architecture, without a GPU."""

from __future__ import annotations

import pytest

from prunus.knapsack.gpu.dense.kernels import configured, cuts_for
from tests.hardware.cuda.compilers import ARCHITECTURES, CARDS, check_compiles


@pytest.mark.parametrize("kind", range(6))
@pytest.mark.parametrize("bits", [32, pytest.param(64, marks=pytest.mark.slow)])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_kernels_compile(architecture, kind, bits):
    """Those for values of either width make machine code."""
    card = CARDS[architecture]
    config = configured(card, bits, cuts_for(card, bits))[kind]
    assert config.shared <= card.shared_limit
    check_compiles(config.file, config.constants, architecture)
