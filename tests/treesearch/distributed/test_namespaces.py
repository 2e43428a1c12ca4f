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
from tests.treesearch.distributed.slow_link import SlowLinks

pytest.importorskip("distributed")
pytest.importorskip("zmq")

BRIDGE = "prunus0"
HERE, SCHEDULER = "10.77.0.1", "10.77.0.100"
WORKERS = 3

needs_root = pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0 or shutil.which("ip") is None,
    reason="network namespaces need root and ip",
)


def ip(*words: str, check: bool = True) -> None:
    """Run a command of iproute2."""
    subprocess.run(["ip", *words], check=check, capture_output=True)


def names(number: int, slow: bool) -> tuple[str, str]:
    """Return what the two ends of a link are called."""
    kind = "slow" if slow else "link"
    return f"prunus-{kind}{number}", f"inside-{kind}{number}"


def add_machine(space: str, number: int, address: str, slow: bool) -> None:
    """Make a namespace that is linked to the bridge."""
    outside, inside = names(number, slow)
    ip("netns", "add", space)
    if not slow:
        ip("link", "add", outside, "type", "veth", "peer", "name", inside)
    ip("link", "set", outside, "master", BRIDGE, "up")
    ip("link", "set", inside, "netns", space)
    ip("-n", space, "addr", "add", f"{address}/24", "dev", inside)
    ip("-n", space, "link", "set", inside, "up")
    ip("-n", space, "link", "set", "lo", "up")


@contextmanager
def network(case: str) -> Iterator[None]:
    """Make namespaces that reach each other over a bridge; take them away."""
    slow = case == "latency and loss"
    links = None
    try:
        ip("link", "add", BRIDGE, "type", "bridge")
        ip("addr", "add", f"{HERE}/24", "dev", BRIDGE)
        ip("link", "set", BRIDGE, "up")
        if slow:
            links = SlowLinks([names(i, True) for i in range(WORKERS)], delay_s=0.025, loss=0.02)
        for i in range(WORKERS):
            add_machine(f"prunus{i}", i, f"10.77.0.{i + 2}", slow)
            if case == "a firewall":  # nothing arrives where the coordinator is, and nobody says so
                nowhere = ["lladdr", "02:00:00:00:00:99", "dev", names(i, slow)[1]]
                ip("-n", f"prunus{i}", "neigh", "replace", HERE, *nowhere)
        add_machine("prunus-dask", WORKERS, SCHEDULER, slow=False)
        yield
        assert links is None or links.lost > 0
    finally:
        for i, space in enumerate([*(f"prunus{i}" for i in range(WORKERS)), "prunus-dask"]):
            # The kernel takes away the links of a namespace some time after it.
            ip("link", "del", names(i, slow=False)[0], check=False)
            ip("netns", "del", space, check=False)
        if links is not None:
            links.close()
        ip("link", "del", BRIDGE, check=False)


@contextmanager
def running(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process; end it."""
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as one:
        try:
            yield one
        finally:
            one.kill()


ONLINE = {
    "names of their own": True,
    "the same name": False,
    "a firewall": False,
    "latency and loss": True,
}


@pytest.mark.slow
@needs_root
@pytest.mark.parametrize("case", ONLINE)
def test_workers_in_namespaces_count_exactly(tmp_path: Path, case: str, caplog) -> None:
    """Workers of other machines, whose clocks differ by days, connect to the coordinator, also over
    links of 50 ms there and back that lose every fiftieth packet. Where all say that they are the
    same machine, or a firewall lets nothing through, they cannot, and search without. The count is
    exact every time.
    """
    from distributed import Client

    file = tmp_path / "scheduler.json"
    dask = [sys.executable, "-m", "distributed.cli."]
    scheduler = ["ip", "netns", "exec", "prunus-dask", *dask[:2], dask[2] + "dask_scheduler"]
    scheduler += ["--host", SCHEDULER, "--port", "0", "--scheduler-file", str(file)]
    worker = [*dask[:2], dask[2] + "dask_worker", "--scheduler-file", str(file)]
    worker += ["--nworkers", "1", "--nthreads", "1", "--no-dashboard"]
    with network(case), ExitStack() as stack:
        stack.enter_context(running([*scheduler, "--no-dashboard"]))
        for _ in range(600):
            if file.exists() and file.stat().st_size:
                break
            time.sleep(0.1)
        for i in range(WORKERS):
            shifted = ["unshare", "-T", "--monotonic", str(100_000 * i)]
            name = ["unshare", "-u", "sh", "-c", f'hostname machine{i}; exec "$@"', "sh"]
            named = [] if case == "the same name" else name
            inside = ["ip", "netns", "exec", f"prunus{i}", *shifted, *named]
            folder = ["--local-directory", str(tmp_path / str(i))]
            stack.enter_context(running([*inside, *worker, *folder]))
        address = json.loads(file.read_text("utf-8"))["address"]
        with Client(address) as client:
            client.wait_for_workers(WORKERS, timeout=120)
            result = prunus.solve(
                prunus.read("ta029"), upper_bound=2237, executor=client, devices="cpu:1"
            )
    assert (result.nodes, result.explored) == (12_233_430, 1.0)
    assert {one["online"] for one in result.statistics["workers"]} == {ONLINE[case]}
    told = caplog.text.count("cannot reach the coordinator on TCP port")
    assert told == (not ONLINE[case])
