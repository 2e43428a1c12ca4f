"""A disk that is full does not end a solve."""

from __future__ import annotations

import errno
import os
import warnings

import numba
import pytest
from numba.core import caching

import prunus


def test_code_that_cannot_be_saved_is_used_all_the_same(monkeypatch):
    """Numba's write fails, the compiled function works, and the user is told."""

    def full(*_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(caching.IndexDataCacheFile, "save", full)

    @numba.njit(cache=True)
    def double(x):
        return 2 * x

    with pytest.warns(UserWarning, match="no space left on device"):
        assert double(21) == 42
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert double(4) == 8
    assert prunus.__version__
