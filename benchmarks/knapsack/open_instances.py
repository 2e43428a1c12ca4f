"""Settle the noisy multi-group knapsacks whose optimum the published data leaves open.

    python -m benchmarks.knapsack.open_instances FOLDER --seconds 600          # carry on
    python -m benchmarks.knapsack.open_instances FOLDER --check                # re-add every choice
    python -m benchmarks.knapsack.open_instances FOLDER --confirm 5 --device cuda:0 --method dense
    python -m benchmarks.knapsack.open_instances --table                       # write the table
    python -m benchmarks.knapsack.open_instances FOLDER --published SOLVED.csv # the solved ones

The instances are those of J. Jooken, P. Leyman, P. De Causmaecker (2022), A new class of hard
problem instances for the 0-1 knapsack problem, European Journal of Operational Research 301. Every
answer is appended to a file of one JSON object a line as soon as it is there, after its items were
added up by plain Python; a run that was killed carries on where the file ends. The items are bits,
the first item the highest of the first hexadecimal digit. `--confirm` solves settled instances
again by another method, and says so in the file; a different value ends the run.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import sys
import tarfile
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import numpy as np

import prunus

HERE = Path(__file__).parent
ANSWERS = HERE / "open_instances.jsonl"
TABLE = HERE / "open_instances.md"
SOLVED = HERE / "solved_instances.md"

Instance = tuple[list[int], list[int], int]


def instances(source: Path) -> dict[str, Instance]:
    """Read all instances of a folder or an archive: profits, weights, capacity."""
    if source.is_dir():
        texts = {file.stem: file.read_text() for file in sorted(source.glob("*.kp"))}
    else:
        with tarfile.open(source) as archive:
            files = [member for member in archive if member.name.endswith(".kp")]
            texts = {Path(f.name).stem: archive.extractfile(f).read().decode() for f in files}  # type: ignore[union-attr]
    return {name: parsed(text) for name, text in texts.items()}


def parsed(text: str) -> Instance:
    """Read the number of items, an item a line (number, profit, weight), the capacity."""
    numbers = [int(word) for word in text.split()]
    n = numbers[0]
    return numbers[2 : 3 * n + 1 : 3], numbers[3 : 3 * n + 1 : 3], numbers[3 * n + 1]


def packed(solution: Any, items: int) -> str:
    """Write a choice as hexadecimal digits."""
    bits = np.zeros(items, dtype=np.uint8)
    bits[np.asarray(solution, dtype=np.int64)] = 1
    return np.packbits(bits).tobytes().hex()


def added(instance: Instance, chosen: str) -> int:
    """Add a choice up in plain Python; return its profit."""
    profits, weights, capacity = instance
    bits = bin(int("1" + chosen, 16))[3:]
    picked = [k for k, bit in enumerate(bits) if bit == "1"]
    weight = sum(weights[k] for k in picked)
    if weight > capacity:
        raise AssertionError(f"the choice weighs {weight}, the capacity is {capacity}")
    return sum(profits[k] for k in picked)


def settle(
    name: str, instance: Instance, device: str, method: str, limit: float
) -> dict[str, Any] | None:
    """Solve one; None if the optimum was not proven in time."""
    profits, weights, capacity = instance
    began = time.perf_counter()
    result = prunus.solve(
        prunus.Knapsack(profits, weights, capacity),
        devices=device, method=method, time_limit=limit,
    )  # fmt: skip
    seconds = time.perf_counter() - began
    if result.status != "optimal":
        return None
    chosen = packed(result.solution, len(weights))
    value = added(instance, chosen)
    if value != result.objective:
        raise AssertionError(f"{name}: {value} added up, {result.objective} said")
    return {
        "name": name, "items": len(weights), "optimum": value, "seconds": round(seconds, 3),
        "method": result.method, "device": device, "chosen": chosen,
    }  # fmt: skip


def read_answers() -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return what is settled, and what was confirmed; a line cut short by a kill is left out."""
    settled, confirmed = {}, []
    for line in ANSWERS.read_text().splitlines() if ANSWERS.exists() else []:
        try:
            answer = json.loads(line)
        except json.JSONDecodeError:
            continue
        if "chosen" in answer:
            settled[answer["name"]] = answer
        else:
            confirmed.append(answer)
    return settled, confirmed


def append(answer: dict[str, Any]) -> None:
    """Add a line for good."""
    text = ANSWERS.read_bytes() if ANSWERS.exists() else b""
    with ANSWERS.open("ab") as stream:
        if text and not text.endswith(b"\n"):
            stream.write(b"\n")
        stream.write(json.dumps(answer).encode() + b"\n")
        stream.flush()
        os.fsync(stream.fileno())


def carry_on(every: dict[str, Instance], options: argparse.Namespace) -> None:
    """Settle what is open, the smallest first, until the time is over."""
    settled, _ = read_answers()
    names = sorted((n for n in every if n not in settled), key=lambda n: (len(every[n][0]), n))
    end = time.monotonic() + options.seconds
    print(f"{len(settled)} settled, {len(names)} open")
    with ProcessPoolExecutor(options.processes) as pool:
        waiting = iter(names)
        running = {}
        while True:
            while len(running) < options.processes and time.monotonic() < end:
                name = next(waiting, None)
                if name is None:
                    break
                limit = max(1.0, end - time.monotonic())
                arguments = (name, every[name], options.device, options.method, limit)
                running[pool.submit(settle, *arguments)] = name
            if not running:
                break
            job = next(as_completed(running))
            name = running.pop(job)
            answer = job.result()
            if answer is None:
                print(name, "not proven", flush=True)
            else:
                append(answer)
                print(name, answer["optimum"], answer["seconds"], answer["method"], flush=True)


def confirm(every: dict[str, Instance], options: argparse.Namespace) -> None:
    """Solve settled instances once more, by another method."""
    settled, confirmed = read_answers()
    done = {answer["name"] for answer in confirmed}
    names = [n for n in settled if n in every and n not in done]
    names.sort(key=lambda n: (len(every[n][0]), n))
    end = time.monotonic() + options.seconds
    for name in names[: options.confirm]:
        limit = end - time.monotonic()
        if limit < 1:
            break
        answer = settle(name, every[name], options.device, options.method, limit)
        if answer is None:
            print(name, "not proven", flush=True)
            continue
        if answer["method"] == settled[name]["method"]:
            sys.exit(f"{name}: solved by the same method, {answer['method']}")
        if answer["optimum"] != settled[name]["optimum"]:
            sys.exit(f"{name}: {answer['optimum']} now, {settled[name]['optimum']} before")
        chosen = {"confirmed": answer["optimum"], "same items": answer["chosen"]}
        chosen["same items"] = answer["chosen"] == settled[name]["chosen"]
        append({k: answer[k] for k in ("name", "method", "device", "seconds")} | chosen)
        print(name, answer["optimum"], "confirmed by", answer["method"], answer["seconds"])


def check(every: dict[str, Instance]) -> None:
    """Add every choice up again."""
    settled, confirmed = read_answers()
    for name, answer in settled.items():
        if added(every[name], answer["chosen"]) != answer["optimum"]:
            sys.exit(f"{name}: the items are not worth {answer['optimum']}")
    for answer in confirmed:
        if answer["confirmed"] != settled[answer["name"]]["optimum"]:
            sys.exit(f"{answer['name']}: {answer['confirmed']} by {answer['method']}")
    print(f"{len(settled)} choices add up, {len(confirmed)} confirmations agree")


def table() -> None:
    """Write the table."""
    settled, confirmed = read_answers()
    by = {answer["name"]: answer for answer in confirmed}
    lines = [
        "# Noisy multi-group knapsacks that the published data leaves open",
        "",
        "Written by `python -m benchmarks.knapsack.open_instances --table`; the items of each",
        "choice are in `open_instances.jsonl`. All have C = 10^10. Seconds are of the wall clock,",
        "one process on a machine of two cores that others used too; they include no compilation.",
        "",
        "| instance | optimum | s | method | confirmed by |",
        "|---|---|---|---|---|",
    ]
    for name, answer in sorted(settled.items(), key=lambda item: (item[1]["items"], item[0])):
        other = by.get(name)
        again = f"{other['method']}, {other['seconds']:.1f} s" if other else ""
        optimum, seconds = answer["optimum"], answer["seconds"]
        lines.append(f"| {name} | {optimum} | {seconds:.2f} | {answer['method']} | {again} |")
    TABLE.write_text("\n".join(lines) + "\n")
    print(f"{len(settled)} settled, {len(by)} confirmed")


def beside(every: dict[str, Instance], options: argparse.Namespace) -> None:
    """Solve the instances with a published optimum; write both beside each other.

    The file has the columns ``name``, ``optimum`` and ``combo_seconds_published``.
    """
    with options.published.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    settle("", every[rows[0]["name"]], options.device, options.method, 60.0)  # compiles
    lines = [
        "# Noisy multi-group knapsacks with a published optimum",
        "",
        "Written by `python -m benchmarks.knapsack.open_instances FOLDER --published SOLVED.csv`:",
        "seconds of the wall clock, one process on a machine of two cores that others used too;",
        "combo's are those published with the data, from another machine.",
        "",
        "| instance | optimum | s | method | combo, published s |",
        "|---|---|---|---|---|",
    ]
    for row in sorted(rows, key=lambda row: -float(row["combo_seconds_published"])):
        name, theirs = row["name"], float(row["combo_seconds_published"])
        answer = settle(name, every[name], options.device, options.method, 600.0)
        if answer is None or answer["optimum"] != int(row["optimum"]):
            sys.exit(f"{name}: {answer}, published {row['optimum']}")
        seconds, method = answer["seconds"], answer["method"]
        lines.append(f"| {name} | {row['optimum']} | {seconds:.3f} | {method} | {theirs:.2f} |")
    SOLVED.write_text("\n".join(lines) + "\n")
    print(f"{len(rows)} solved, the published optimum each")


def main() -> None:
    """Read what to do, and do it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("source", type=Path, nargs="?", help="a folder of .kp files or an archive")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--device", default="cpu:1")
    parser.add_argument("--processes", type=int, default=1, help="instances at a time")
    parser.add_argument("--method", default="auto")
    parser.add_argument("--confirm", type=int, default=0, metavar="COUNT")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--published", type=Path, metavar="SOLVED.csv")
    options = parser.parse_args()
    if options.table:
        table()
    elif options.source is None:
        parser.error("the instances: a folder or an archive")
    elif options.published:
        beside(instances(options.source), options)
    elif options.check:
        check(instances(options.source))
    elif options.confirm:
        confirm(instances(options.source), options)
    else:
        carry_on(instances(options.source), options)


if __name__ == "__main__":
    main()
