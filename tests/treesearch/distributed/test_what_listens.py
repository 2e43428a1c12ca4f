"""The table of docs/clusters.md says what listens, and nothing else does."""

from __future__ import annotations

import os
import socket
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest

import prunus
from prunus.runtime.progress import Progress
from tests.treesearch.distributed.listener import a_listener

LISTENS = "0A"
"""A socket that listens, in Linux's table."""

PAGE = Path(prunus.__file__).parents[2] / "docs" / "clusters.md"


def addresses() -> list[str]:
    """Return the column of addresses of the table."""
    _, _, section = PAGE.read_text("utf-8").partition("\n## Open ports\n")
    rows = [line for line in section.partition("\n## ")[0].splitlines() if line.startswith("| ")]
    return [row.split("|")[2].strip().strip("`") for row in rows[1:]]


def listening() -> list[str]:
    """Return on which IPv4 addresses this process listens, as the system tells."""
    mine = set()
    for name in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            mine.add(os.readlink(f"/proc/self/fd/{name}"))
    found = []
    for line in Path("/proc/self/net/tcp").read_text("ascii").splitlines()[1:]:
        fields = line.split()
        if fields[3] == LISTENS and f"socket:[{fields[9]}]" in mine:
            found.append(socket.inet_ntoa(bytes.fromhex(fields[1].partition(":")[0])[::-1]))
    return sorted(found, reverse=True)


@pytest.mark.skipif(not PAGE.exists(), reason="only in a checkout")
@pytest.mark.skipif(sys.byteorder != "little", reason="addresses are told in the machine's order")
@pytest.mark.skipif(not os.path.exists("/proc/self/net/tcp"), reason="asks Linux")
def test_the_coordinator_listens_where_the_table_says() -> None:
    """On this machine only, until a worker is on another; on none once the search is over."""
    here, everywhere, workers = addresses()
    before = listening()
    seen: list[list[str]] = []

    def look(progress: Progress) -> bool:
        seen.append(listening())
        return False

    with ThreadPoolExecutor(1) as threads:
        prunus.solve(prunus.NQueens(8), executor=threads, stop=look)
    assert [here, *before] in seen
    assert all(one in ([here, *before], before) for one in seen)
    assert listening() == before
    with a_listener() as listener:
        listener.server.open_for(listener.server.address.host)
        assert listening() == [here, *before]
        listener.server.open_for("another machine")
        assert listening() == sorted([here, everywhere, *before], reverse=True)
    assert listening() == before
    assert workers == "none"
