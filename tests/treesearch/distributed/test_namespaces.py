"""Machines that are not one machine: workers in network namespaces, with addresses of their own.

It needs root and Linux, and is asked for: ``pytest -m slow -k namespaces``.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

import prunus

pytest.importorskip("distributed")

BRIDGE = "prunus0"
HERE = "10.77.0.1"
WORKERS = 3

needs_root = pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0 or shutil.which("ip") is None,
    reason="network namespaces need root and ip",
)


def ip(*words: str, check: bool = True) -> None:
    """Run a command of iproute2."""
    subprocess.run(["ip", *words], check=check, capture_output=True)


@contextmanager
def network() -> Iterator[None]:
    """Make namespaces that reach each other over a bridge; take them away."""
    try:
        ip("link", "add", BRIDGE, "type", "bridge")
        ip("addr", "add", f"{HERE}/24", "dev", BRIDGE)
        ip("link", "set", BRIDGE, "up")
        for i in range(WORKERS):
            space, outside, inside = f"prunus{i}", f"prunusv{i}", f"prunuse{i}"
            ip("netns", "add", space)
            ip("link", "add", outside, "type", "veth", "peer", "name", inside)
            ip("link", "set", outside, "master", BRIDGE, "up")
            ip("link", "set", inside, "netns", space)
            ip("-n", space, "addr", "add", f"10.77.0.{i + 2}/24", "dev", inside)
            ip("-n", space, "link", "set", inside, "up")
            ip("-n", space, "link", "set", "lo", "up")
        yield
    finally:
        for i in range(WORKERS):
            ip("netns", "del", f"prunus{i}", check=False)
        ip("link", "del", BRIDGE, check=False)


@contextmanager
def running(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process; end it."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as one:
        try:
            yield one
        finally:
            one.kill()


@pytest.mark.slow
@needs_root
@pytest.mark.parametrize("named", [True, False])
def test_workers_in_namespaces_count_exactly(tmp_path: Path, named: bool) -> None:
    """Workers of other machines connect to the coordinator; where all say that they are the same
    machine, they cannot, and search without; the count is exact either way.
    """
    from distributed import Client

    file = tmp_path / "scheduler.json"
    dask = [sys.executable, "-m", "distributed.cli."]
    scheduler = [*dask[:2], dask[2] + "dask_scheduler", "--host", HERE, "--port", "0"]
    worker = [*dask[:2], dask[2] + "dask_worker", "--scheduler-file", str(file)]
    worker += ["--nworkers", "1", "--nthreads", "1", "--no-dashboard"]
    with network(), ExitStack() as stack:
        stack.enter_context(running([*scheduler, "--scheduler-file", str(file), "--no-dashboard"]))
        for _ in range(600):
            if file.exists() and file.stat().st_size:
                break
            time.sleep(0.1)
        for i in range(WORKERS):
            name = ["unshare", "-u", "sh", "-c", f'hostname machine{i}; exec "$@"', "sh"]
            inside = ["ip", "netns", "exec", f"prunus{i}", *(name if named else [])]
            folder = ["--local-directory", str(tmp_path / str(i))]
            stack.enter_context(running([*inside, *worker, *folder]))
        address = json.loads(file.read_text("utf-8"))["address"]
        with Client(address) as client:
            client.wait_for_workers(WORKERS, timeout=120)
            result = prunus.solve(
                prunus.read("ta029"), upper_bound=2237, executor=client, devices="cpu:1"
            )
    assert (result.nodes, result.explored) == (12_233_430, 1.0)
    assert {one["online"] for one in result.statistics["workers"]} == {named}
