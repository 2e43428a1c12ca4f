"""As many GPUs as are named on fewer cards: those that share a card have a part of it each.

So what four GPUs do with one tree can be seen on two cards: who asks whom, how the search ends,
that every node is branched once. A part has its share of the multiprocessors' blocks; while others
of its card are idle it is somewhat faster than its share.
"""

from __future__ import annotations

from typing import Any

import prunus.hardware.cuda
from prunus.hardware.cuda import CudaDevice as WholeCard


def share(named: int, cards: int) -> None:
    """Let ``cuda:i`` be a part of card ``i % cards`` from now on, if more are named than there are.

    Parameters
    ----------
    named
        How many GPUs are named.
    cards
        How many there are.
    """
    parts = -(-named // cards)

    class Part(WholeCard):
        def __init__(self, index: int = 0) -> None:
            super().__init__(index % cards)
            self.multiprocessors = max(1, self.multiprocessors // parts)

    kind: Any = Part if parts > 1 else WholeCard
    prunus.hardware.cuda.CudaDevice = kind  # type: ignore[misc]
