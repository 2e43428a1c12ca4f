"""The explorers of this machine: one for each core and each GPU that is to be used."""

from __future__ import annotations

from itertools import permutations

from prunus.hardware.devices import Devices, open_gpu
from prunus.hardware.threads import reserve_threads
from prunus.treesearch.model import Explorer, ExplorerFactory


def local_explorers(devices: Devices, factory: ExplorerFactory) -> list[Explorer]:
    """Make an explorer for each core and each GPU of this machine."""
    reserve_threads(devices.cores + len(devices.gpus))
    cards = [open_gpu(index) for index in devices.gpus]
    for card, other in permutations(cards, 2):
        card.connect(other)  # so that work goes from one to the other without the host
    return [
        *map(factory.on_gpu, cards),
        *(factory.on_core(f"cpu:{i}") for i in range(devices.cores)),
    ]
