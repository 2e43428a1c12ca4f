"""Subset sum on GPUs: every table of one card and of several.

    python -m benchmarks.subset_sum.gpu --runs 20 --cards 4
    python -m benchmarks.subset_sum.gpu --only two,cards

About 2 minutes on one card, half a minute more for four. Parts: ``two`` lists, ``bare`` without
``solve`` around them, ``four`` lists, their inner ``lists`` alone, ``bits`` for small targets,
cores and a GPU ``together``, several ``cards``.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Sequence

import prunus
from benchmarks.save import save
from benchmarks.subset_sum import tables, together
from benchmarks.subset_sum.rows import Rows
from prunus.hardware.devices import available_cores, open_gpu

PARTS = ("two", "bare", "four", "lists", "bits", "together", "cards")


def on_gpu(arguments: argparse.Namespace) -> dict:
    """Measure the GPUs, part by part; what fails is told and left out."""
    parts = (arguments.only or ",".join(PARTS)).split(",")
    if unknown := set(parts) - set(PARTS):
        sys.exit(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    rows = Rows(arguments.budget)
    sizes = [int(n) for n in arguments.sizes.split(",")] if arguments.sizes else None
    runs = arguments.runs
    if "bare" in parts:
        for n in sizes or (48, 52, 56, 60, 64):
            rows.add(f"bare {n}", tables.bare_row, n, runs)
    if "two" in parts:
        for n in sizes or (48, 52, 56, 60, 64):
            rows.add(f"two lists {n}", tables.gpu_row, n, "two-list", runs)
    if "four" in parts:
        for n in sizes or (48, 52, 56, 60, 64, 68, 72, 80):
            rows.add(f"four lists {n}", tables.gpu_row, n, "four-list", runs)
    if "lists" in parts:
        for n in sizes or (64, 68, 72, 76, 80):
            rows.add(f"lists {n}", tables.lists_row, n)
    if "bits" in parts:
        for n, target in ((54, 2**24), (54, 2**28)) if sizes is None else ((20, 2**12),):
            rows.add(f"bit set {target}", tables.bits_row, n, target)
    if "together" in parts:
        for n in sizes or (76,):
            rows.add(f"together {n}", together.together_table, n)
    if "cards" in parts and arguments.cards > 1:
        for n in sizes or (68, 76):
            rows.add(f"cards {n}", tables.cards_table, n, arguments.cards)
    if rows.failed:
        print("FAILED:", ", ".join(rows.failed))
    return {"gpu": open_gpu(0).model, **rows.report()}


def main(words: Sequence[str] | None = None) -> None:
    """Make the tables that are asked for and print them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", help="numbers of items, with commas")
    parser.add_argument("--only", help=f"parts, with commas, of {', '.join(PARTS)}")
    parser.add_argument("--budget", type=float, default=1e9, help="seconds to begin rows in")
    parser.add_argument("--cards", type=int, default=1, help="GPUs to use together")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--json", help="write the figures to this file")
    arguments = parser.parse_args(words)
    report = on_gpu(arguments) | {
        "machine": platform.processor() or platform.machine(),
        "cores": available_cores(),
        "prunus": prunus.__version__,
    }
    save(report, arguments.json)


if __name__ == "__main__":
    main()
