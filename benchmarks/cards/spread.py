"""A plugin of pytest: its processes take the cards in turn. ``-p benchmarks.cards.spread``.

Each sees all the cards of CUDA_VISIBLE_DEVICES, another one first.
"""

import os

_cards = [card for card in os.environ.get("CUDA_VISIBLE_DEVICES", "").split(",") if card]
_worker = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
if _cards and _worker.isdigit():
    _first = int(_worker) % len(_cards)
    os.environ["CUDA_VISIBLE_DEVICES"] = ",".join(_cards[_first:] + _cards[:_first])
