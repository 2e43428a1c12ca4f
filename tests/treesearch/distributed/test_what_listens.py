"""The table of docs/clusters.md says what listens, and nothing else does."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import prunus
from prunus.runtime.progress import Progress
from prunus.treesearch.distributed import coordinator_server
from prunus.treesearch.distributed.coordinator_server import CoordinatorServer

PAGE = Path(prunus.__file__).parents[2] / "docs" / "clusters.md"


def addresses() -> list[str]:
    """Return the column of addresses of the table."""
    _, _, section = PAGE.read_text("utf-8").partition("\n## What listens\n")
    rows = [line for line in section.partition("\n## ")[0].splitlines() if line.startswith("| ")]
    return [row.split("|")[2].strip().strip("`") for row in rows[1:]]


def listening(server: CoordinatorServer) -> list[str]:
    """Return on which addresses a coordinator listens."""
    return [str(one.getsockname()[0]) for one in server._listeners if one.fileno() >= 0]


@pytest.mark.skipif(not PAGE.exists(), reason="only in a checkout")
def test_the_coordinator_listens_where_the_table_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """On this machine only, until a worker is on another; on none once the search is over."""
    here, everywhere, workers = addresses()
    made: list[CoordinatorServer] = []
    seen: list[list[str]] = []

    class Noted(CoordinatorServer):
        def __init__(self, *arguments: object) -> None:
            super().__init__(*arguments)  # type: ignore[arg-type]
            made.append(self)

    def look(progress: Progress) -> bool:
        seen.extend(listening(server) for server in made)
        return False

    module = "prunus.treesearch.distributed.coordinator"
    monkeypatch.setattr(f"{module}.CoordinatorServer", Noted)
    with ThreadPoolExecutor(1) as threads:
        prunus.solve(prunus.NQueens(8), executor=threads, stop=look)
    assert [here] in seen
    assert all(one in ([here], []) for one in seen)
    (server,) = made
    assert listening(server) == []
    server = coordinator_server.CoordinatorServer(lambda: None)
    server.open_for(server.address.host)
    assert listening(server) == [here]
    server.open_for("another machine")
    assert listening(server) == [here, everywhere]
    assert len(server.address.secret) == 32
    server.close()
    assert listening(server) == []
    assert workers == "none"
