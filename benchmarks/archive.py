"""Pack the results that anybody can check, with their checkers, as an archive to be published.

    python -m benchmarks.archive [prunus-results.zip]

It is the same to the byte for the same files, so that its digest tells whether it has changed.
"""

from __future__ import annotations

import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PARTS = (
    "docs/checked-results.md",
    "docs/comparison.md",
    "docs/comparison.json",
    "benchmarks/flowshop/check_schedules.py",
    "benchmarks/flowshop/schedules/*.jsonl",
    "benchmarks/knapsack/check_items.py",
    "benchmarks/knapsack/open_instances.jsonl",
    "benchmarks/knapsack/*_instances.md",
    "CITATION.cff",
    "LICENSE",
)


def files() -> Iterator[Path]:
    """Yield the files, in the same order always."""
    for part in PARTS:
        found = sorted(ROOT.glob(part))
        assert found, part
        yield from found


def main() -> None:
    """Write the archive."""
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "prunus-results.zip")
    with zipfile.ZipFile(target, "w") as archive:
        for path in files():
            entry = zipfile.ZipInfo(
                path.relative_to(ROOT).as_posix()
            )  # of 1980, whenever it is made
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())
    print(f"{target}: {len(list(files()))} files, {target.stat().st_size} bytes")


if __name__ == "__main__":
    main()
