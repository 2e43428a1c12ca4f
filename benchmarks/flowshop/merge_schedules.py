"""Merge files of flow-shop schedules: of each instance the best schedule and the best bound.

The first file is rewritten; a makespan is that of the schedule, evaluated anew. With files of best
known makespans (CSV: a name, then one column each that is asked for), rows of a table in Markdown
are printed, of the instances that are below all of them, and how many are not.

    python -m benchmarks.flowshop.merge_schedules VFR best.jsonl new.jsonl
    python -m benchmarks.flowshop.merge_schedules VFR best.jsonl --known list.csv,Name,UB
"""

from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path
from typing import Any

import prunus


def merged(folder: Path, files: list[Path]) -> dict[str, dict[str, Any]]:
    """Return the best line of each instance, the first of equal ones."""
    best: dict[str, dict[str, Any]] = {}
    for line in (json.loads(line) for file in files for line in file.read_text().splitlines()):
        name = line["name"]
        shop = prunus.read(next(folder.rglob(f"{name}_Gap.txt")))
        assert shop.evaluate(line["schedule"]) == line["makespan"], name
        before = best.setdefault(name, line)
        bound = max(before.get("bound", 0), line.get("bound", 0))
        if line["makespan"] < before["makespan"]:
            print(name, before["makespan"], "->", line["makespan"])
            best[name] = before = line
        if bound:
            before["bound"] = bound
    return best


def known_makespans(given: str) -> dict[str, int]:
    """Read the smallest of some columns of a CSV file, given as file,name,column,..."""
    path, name, *columns = given.split(",")
    text = Path(path).read_text()
    rows = csv.DictReader(text.splitlines(), delimiter=";" if ";" in text else ",")
    return {row[name]: min(int(row[column]) for column in columns) for row in rows}


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--known", action="append", default=[], metavar="FILE,NAME,COLUMN[,COLUMN]")
    given = parser.parse_args()
    best = merged(given.folder, given.files)
    target = given.files[0]
    order = [json.loads(line)["name"] for line in target.read_text().splitlines()]
    order += [name for name in best if name not in order]
    target.write_text("".join(json.dumps(best[name]) + "\n" for name in order))
    known = [known_makespans(each) for each in given.known]
    counts = [0, 0, 0]
    for name in order if known else []:
        values, makespan = [each[name] for each in known], best[name]["makespan"]
        least = min(values)
        counts[(makespan >= least) + (makespan > least)] += 1
        if makespan < least:
            cells = [name.removeprefix("VFR").replace("_", " "), makespan, *values]
            cells.append(f"{100 * (1 - makespan / least):.2f}")
            print("|", " | ".join(map(str, cells)), "|")
    if known:
        print("below, equal, above:", *counts)


if __name__ == "__main__":
    main()
