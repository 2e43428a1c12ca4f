"""Run every peer that is installed beside prunus, and write a page of results.

Each run has a process of its own: two packages may bring the same library. What is timed is the
second call in the process, without imports and compilation, on two cores; of peers with one thread,
on one. Every solution is evaluated by the problem's plain ``evaluate``. Install the peers with
``pip install 'prunus[compare]'``; what is missing is left out. What was measured is kept in a JSON
file beside the page, so that ``--only`` renews the table of one problem.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
from datetime import date
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks.compare.cases import CASES, Case
from benchmarks.compare.peers import KINDS, PEERS, Peer, version_of
from prunus.hardware.devices import available_cores


def _once(peer: Peer, case: Case, limit: float) -> dict[str, Any]:
    """Solve an instance twice, at most; return what came of the last time."""
    problem, seconds = case.make(), 0.0
    for _ in range(2):
        began = perf_counter()
        solution, proven = peer.solve(problem, limit)
        seconds = perf_counter() - began
        if seconds > limit / 2 and peer.package != "prunus":
            break  # a second call would take as long; only prunus compiles in the first one
    objective = None if solution is None else problem.evaluate(solution)
    return {"seconds": seconds, "objective": objective, "proven": proven}


def _in_a_process(peer: Peer, case: Case, limit: float) -> dict[str, Any]:
    words = ["--one", str(PEERS.index(peer)), str(CASES.index(case)), "--limit", str(limit)]
    command = [sys.executable, "-m", "benchmarks.compare", *words]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=2.5 * limit + 60
        )
    except subprocess.TimeoutExpired:
        return {"error": "no answer"}
    if done.returncode:
        return {"error": (done.stderr.strip().splitlines() or ["ended"])[-1]}
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _cell(found: dict[str, Any] | None, best: float | None) -> str:
    """Say what came out: the seconds of a proof, else how far the solution is from the best."""
    if found is None:
        return "not installed"
    if "error" in found:
        return "failed"
    taken = found["seconds"]
    seconds = f"{taken:.3g} s" if taken >= 1 else f"{1000 * taken:.3g} ms"
    if found["proven"]:
        return seconds if found["objective"] in (None, best) else f"WRONG, {seconds}"
    if found["objective"] is None or best is None:
        return f"nothing in {seconds}"
    off = abs(found["objective"] - best) / max(1, abs(best))
    return f"no proof, {seconds}" + (f", {100 * off:.3g} % off" if off else ", the optimum")


def page(
    found: dict[tuple[str, str, str], dict[str, Any] | None], limit: float, note: str = ""
) -> str:
    """Return the results as a page of Markdown, a table a problem."""
    packages = sorted({peer.package for peer in PEERS})
    versions = ", ".join(f"{package} {version_of(package) or '–'}" for package in packages)
    lines = [
        "# Comparison with other solvers",
        "",
        f"`python -m benchmarks compare --limit {limit:g}`, {date.today()}, {available_cores()} "
        f"cores ({platform.machine()}, {platform.system()}), Python {platform.python_version()}. "
        f"{versions}. {note}".rstrip(),
        "",
        "The tables show the time to a proven optimum, measured in the second call of a process, "
        "with two threads if a solver has several. Every solution was evaluated by plain code. If "
        "a solver had no proof within the limit, the table says how far its solution is from the "
        "best one in the row.",
    ]
    for kind in KINDS:
        names = [peer.name for peer in PEERS if peer.kind == kind]
        lines += ["", f"## {kind[0].upper()}{kind[1:]}", ""]
        lines.append(f"| instance | objective | {' | '.join(names)} |")
        lines.append("|---" * (len(names) + 2) + "|")
        for case in (case for case in CASES if case.kind == kind):
            row = [found.get((kind, case.name, name)) for name in names]
            known = [one["objective"] for one in row if one and one.get("objective") is not None]
            better = max if kind in ("knapsack",) else min
            best = better(known) if known else None
            cells = " | ".join(_cell(one, best) for one in row)
            lines.append(f"| {case.name} | {'–' if best is None else best} | {cells} |")
    return "\n".join(lines) + "\n"


def main(words: list[str] | None = None) -> int:
    """Run what is asked for; return the exit code."""
    parser = argparse.ArgumentParser("python -m benchmarks compare", description=__doc__)
    parser.add_argument("--limit", type=float, default=20.0, help="seconds for each run")
    parser.add_argument("--only", help="one problem: " + ", ".join(KINDS))
    parser.add_argument("--output", type=Path, default=Path("comparison.md"), help="the page")
    parser.add_argument("--note", default="", help="a sentence about the machine, for the page")
    parser.add_argument("--one", nargs=2, type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args(words)
    if asked.one:
        peer, case = PEERS[asked.one[0]], CASES[asked.one[1]]
        print(json.dumps(_once(peer, case, asked.limit), default=int))
        return 0
    if asked.only not in (None, *KINDS):
        parser.error(f"--only {asked.only} is not one of {', '.join(KINDS)}")
    for package in sorted({peer.package for peer in PEERS if version_of(peer.package) is None}):
        print(f"{package} is not installed and is left out")
    measured = asked.output.with_suffix(".json")
    found: dict[tuple[str, str, str], dict[str, Any] | None] = {}
    if asked.only and measured.exists():
        found = {tuple(key): one for *key, one in json.loads(measured.read_text("utf-8"))}
    for case in CASES:
        for peer in PEERS:
            if peer.kind != case.kind or asked.only not in (None, case.kind):
                continue
            key = (case.kind, case.name, peer.name)
            there = version_of(peer.package) is not None
            found[key] = _in_a_process(peer, case, asked.limit) if there else None
            print(f"{case.kind:10} {case.name:26} {peer.name:14} {found[key]}", flush=True)
    rows = [json.dumps([*key, one]) for key, one in found.items()]
    measured.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")
    asked.output.write_text(page(found, asked.limit, asked.note), encoding="utf-8")
    print(f"written to {asked.output}")
    return 1 if "WRONG" in asked.output.read_text(encoding="utf-8") else 0


if __name__ == "__main__":
    sys.exit(main())
