"""Commands that go through several devices, one after the other: ``bench`` and ``compile``."""

from __future__ import annotations

from typing import Annotated

import typer

from prunus.cli.options import SEARCH
from prunus.hardware.devices import check_gpus, first_gpu, open_gpu, parse_devices

__all__ = ["EachDevice", "each_device"]

EachDevice = Annotated[
    list[str] | None,
    typer.Option(
        help="auto, cpu:4, or cuda:0,cuda:1; give it again for several. By default all cores "
        "and, if there is one, the first GPU.",
        rich_help_panel=SEARCH,
        show_default=False,
    ),
]


def each_device(given: list[str] | None, doing: str) -> list[str]:
    """Return what is given, or all cores and the first GPU if there is one; in words.

    Parameters
    ----------
    given
        What the user said.
    doing
        What a warning says goes without a GPU that cannot be used.

    Raises
    ------
    InputError
        If words are no devices.
    DeviceError
        If a GPU that is named cannot be used.
    """
    if not given:
        gpu = first_gpu(lambda: open_gpu(0), doing)
        return ["cpu"] if gpu is None else ["cpu", "cuda:0"]
    for words in given:
        check_gpus(parse_devices(words))
    return given
