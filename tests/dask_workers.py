"""Worker processes of Dask, to be killed."""

from __future__ import annotations

import os
from contextlib import contextmanager

import pytest


@contextmanager
def three_workers():
    """Run three worker processes of one thread; give a client and their process ids."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=3, threads_per_worker=1, processes=True, dashboard_address=":0"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client, sorted(client.run(os.getpid).values())
