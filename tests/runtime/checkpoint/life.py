"""Lives of a solve that keeps a checkpoint, each killed outright at a random moment.

``python life.py CHECKPOINT NAME OPTIONS(JSON) KILLS SEED LONGEST``: every life is a process of its
own. It begins, or goes on if the checkpoint is there, and is killed at most LONGEST seconds after
its search has begun; after so many kills the last one may live. Printed is what it found, and how
many were killed.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sys
import time
import traceback

import prunus
from prunus.runtime.checkpoint import read_checkpoint

DEVICES = ("cpu:1", "cpu:2")


def live(path: str, name: str, options: dict, devices: str, said: int) -> None:
    """Solve or resume; say when the search begins, and what comes out."""
    told = []

    def tell(progress):
        if progress.phase == "tree search" and not told:
            os.write(said, b"searching\n")
            told.append(True)
        return False

    common = {"devices": devices, "stop": tell, "checkpoint_every": 0.02}
    if os.path.exists(path):
        result = prunus.resume(path, **common)
    else:
        result = prunus.solve(prunus.read(name), checkpoint=path, **common, **options)
    words = {name: getattr(result, name) for name in ("status", "objective", "nodes", "explored")}
    os.write(said, json.dumps(words).encode())


def one_life(kill_after: float | None, *arguments) -> dict | None:
    """Run a life to its end or its kill; return what it found."""
    heard, said = os.pipe()
    child = os.fork()  # far quicker than to import everything again
    if child == 0:
        os.close(heard)
        try:
            live(*arguments, said)  # type: ignore[call-arg]
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    os.close(said)
    with os.fdopen(heard) as stream:
        first = stream.readline()
        if kill_after is not None and first == "searching\n":
            time.sleep(kill_after)
            os.kill(child, signal.SIGKILL)
        words = stream.read() or first
    if os.waitpid(child, 0)[1] not in (0, signal.SIGKILL):
        sys.exit("a life ended by itself")
    return json.loads(words) if words.startswith("{") else None


def main(path: str, name: str, options: dict, kills: int, seed: int, longest: float) -> None:
    """Kill up to so many lives, then let one end; print what it found."""
    # Compiled code is loaded once, for all lives.
    prunus.solve(prunus.read(name), devices="cpu:1", time_limit=0.05, **options)
    rng = random.Random(seed)
    killed, answer = 0, None
    while answer is None:
        seconds = rng.uniform(0, longest) if killed < kills else None
        answer = one_life(seconds, path, name, options, rng.choice(DEVICES))
        if answer is None:
            killed += 1
            if os.path.exists(path):
                read_checkpoint(path)
    print(json.dumps({"killed": killed, **answer}))


if __name__ == "__main__":
    path, name, options, kills, seed, longest = sys.argv[1:]
    main(path, name, json.loads(options), int(kills), int(seed), float(longest))
