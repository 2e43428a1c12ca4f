"""Kill a search at random moments and go on with other devices: the answer stays exact.

    python -m benchmarks.treesearch.kills ta056 --upper-bound 3679 --nodes 173314864804
        --devices cuda:0 cuda:0,cuda:1,cuda:2,cuda:3 cuda:0,cuda:1 --kills 6
    python -m benchmarks.treesearch.kills queens:21 --objective 314666222712 --devices cuda:0 cpu

Each life is a process of its own that is killed outright; the lives take the sets of devices in
turn. The checkpoint is on a local disk. With ``--cards 2`` four GPUs are parts of two cards
(``shared_cards``).
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time

import prunus
from benchmarks.treesearch.shared_cards import share


def live(path: str, name: str, devices: str, every: float, upper_bound: int | None) -> None:
    """Solve, or go on; say when the tree search begins, and print the result."""
    told: list[bool] = []

    def tell(progress) -> bool:
        if not told and progress.phase == "tree search":
            told.append(True)
            print("searching", flush=True)
        return False

    common = {"devices": devices, "checkpoint_every": every, "stop": tell}
    if os.path.exists(path):
        result = prunus.resume(path, **common)
    else:
        bound = {} if upper_bound is None else {"upper_bound": upper_bound}
        result = prunus.solve(prunus.read(name), checkpoint=path, **bound, **common)
    figures = {
        "nodes": result.nodes,
        "objective": result.objective,
        "explored": result.explored,
        "search_time": result.statistics["search_time"],
        "earlier_runtime": result.statistics.get("earlier_runtime", 0.0),
        "checkpoint_time": result.statistics["checkpoint_time"],
        "checkpoints": result.statistics["checkpoints"],
    }
    print(json.dumps(figures), flush=True)


def one_life(arguments: argparse.Namespace, path: str, devices: str, seconds: float | None):
    """Run a life; kill it some seconds after its search began. Return its last words."""
    command = [sys.executable, "-m", "benchmarks.treesearch.kills", arguments.name]
    command += ["--life", path, "--devices", devices]
    command += ["--every", str(arguments.every), "--cards", str(arguments.cards)]
    if arguments.upper_bound is not None:
        command += ["--upper-bound", str(arguments.upper_bound)]
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        first = process.stdout.readline()
        ready = time.perf_counter()
        if seconds is not None and first.strip() == "searching":
            try:
                process.wait(seconds)
            except subprocess.TimeoutExpired:
                process.kill()
        words = [first, *process.stdout.read().split("\n")]
    end = time.perf_counter()
    size = os.path.getsize(path) if os.path.exists(path) else 0
    answer = next((json.loads(line) for line in words if line.startswith("{")), None)
    print(
        f"{devices:31} began after {ready - start:5.2f} s, searched {end - ready:6.2f} s, "
        f"{'ended' if answer else 'killed'}; checkpoint {size / 1e6:.1f} MB",
        flush=True,
    )
    return answer


def main() -> None:
    """Run the lives of one search."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--devices", nargs="+", required=True)
    parser.add_argument("--upper-bound", type=int)
    parser.add_argument("--nodes", type=int, help="what must come out")
    parser.add_argument("--objective", type=int, help="what must come out")
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--every", type=float, default=1.0, help="seconds between checkpoints")
    parser.add_argument("--longest", type=float, default=4.0, help="seconds of a life, at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cards", type=int, default=0, help="there are; as many by default")
    parser.add_argument("--life", metavar="CHECKPOINT", help="for the program itself")
    arguments = parser.parse_args()
    if arguments.life:
        name, devices, bound = arguments.name, arguments.devices[0], arguments.upper_bound
        if arguments.cards:
            share(devices.count("cuda"), arguments.cards)
        live(arguments.life, name, devices, arguments.every, bound)
        return
    rng = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.ckpt")
        answer, killed = None, 0
        while answer is None:
            devices = arguments.devices[killed % len(arguments.devices)]
            seconds = rng.uniform(0, arguments.longest) if killed < arguments.kills else None
            answer = one_life(arguments, path, devices, seconds)
            killed += answer is None
    print(f"killed {killed} times: {answer}")
    for field in ("nodes", "objective"):
        wanted = getattr(arguments, field)
        if wanted is not None and answer[field] != wanted:
            sys.exit(f"WRONG: {field} {answer[field]:,}, not {wanted:,}")
    print("the answer is exact")


if __name__ == "__main__":
    main()
