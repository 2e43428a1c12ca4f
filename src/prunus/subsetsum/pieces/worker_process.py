"""Some pieces searched in a worker process, as a pure function that anybody may call again."""

from __future__ import annotations

import multiprocessing
import os
import re
import threading
from collections import OrderedDict
from time import perf_counter

import numpy as np

from prunus.hardware.executor import end_with_parent
from prunus.subsetsum.pieces.accounting import PieceResult
from prunus.subsetsum.pieces.description import SearchDescription
from prunus.subsetsum.pieces.preparation import PreparedSearch, prepare_on_cores, prepare_on_gpu

_KEPT_SEARCHES = 2
"""Searches whose lists a worker process keeps."""
_kept: OrderedDict[SearchDescription, PreparedSearch] = OrderedDict()
_lock = threading.Lock()
_NO_STOP = np.zeros(1, np.int64)


def explore(work: SearchDescription, first: int, last: int) -> tuple[PieceResult, float]:
    """Search some pieces in a worker process and return what was found, and the seconds it took.

    The same arguments give the same answer in any process, at any time, so that whoever has lost
    one may ask again. The lists are kept for the next call; losing them costs time only.
    """
    end_with_parent()
    with _lock:
        made = _kept.pop(work, None)
        if made is None:
            while len(_kept) >= _KEPT_SEARCHES:
                _kept.popitem(last=False)
            made = _prepare_here(work)
        _kept[work] = made
    start = perf_counter()
    finding = made.run(first, last, _NO_STOP)
    return finding, perf_counter() - start


def _prepare_here(work: SearchDescription) -> PreparedSearch:
    """Make the lists in a worker process, on a GPU if it is to use one."""
    if not work.gpus:
        return prepare_on_cores(work)
    from prunus.hardware.cuda import CudaDevice

    return prepare_on_gpu(work, CudaDevice(work.gpus[_number_in_pool() % len(work.gpus)]))


def _number_in_pool() -> int:
    """Return this process's number in its pool, so that the pool shares the GPUs out evenly.

    Of a process that is in none, the system's number.
    """
    last = re.search(r"\d+$", multiprocessing.current_process().name)
    return int(last[0]) if last else os.getpid()
