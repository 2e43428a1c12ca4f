"""Lives of a solve, killed at random moments, and what the last one finds.

``python -m tests.fuzz.lives WHAT PROBLEM KILLS SEED``: every life is a process of its own, forked
from one in which everything is compiled. It begins, or goes on from the checkpoint that the life
before has left. Printed is how many were killed in the midst of their work, and how many searches
came to an end, each with the answer of one that nothing had happened to.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import random
import signal
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import prunus
from prunus.cli.entry import main
from prunus.cli.exit_code import ExitCode
from prunus.files import atomic
from prunus.runtime.checkpoint import read_checkpoint
from prunus.treesearch.distributed import tuning
from prunus.treesearch.scheduler.scheduler import Scheduler

Say = Callable[[str], None]

PROBLEMS: dict[str, tuple[str, dict[str, Any]]] = {
    "queens": ("queens:13", {"symmetry": "none"}),
    "flowshop": ("ta030", {"upper_bound": 2178}),
    "targets": ("ta030", {"first_incumbent": "neh", "proof": "climb"}),
    "atsp": (str(Path(__file__).parents[1] / "data" / "br17.atsp"), {"first_incumbent": "none"}),
}
DEVICES = ("cpu:1", "cpu:2")
LONGEST_S = 0.05
"""Seconds of search after which a life is killed, at most."""

MOST_LIVES = 30
"""How often one search is killed before it may come to its end."""


def facts(result: prunus.Result, name: str) -> dict[str, Any]:
    """Return what must be the same whatever happens.

    Best first, and with incumbents that are found on the way, several cores differ in nodes.
    """
    exact = name in ("queens", "flowshop")
    words = ["status", "objective", "explored"] + ["nodes"] * exact
    return {word: getattr(result, word) for word in words}


def search(path: str, name: str, devices: str, say: Say | None = None) -> dict[str, Any]:
    """Solve, or resume where there is a checkpoint; say when the search begins."""
    source, options = PROBLEMS[name]
    told = []

    def tell(progress: Any) -> bool:
        phase = progress.phase
        if say is not None and phase.startswith(("tree search", "searching")) and not told:
            say("ready")
            told.append(True)
        return False

    common: dict[str, Any] = {"devices": devices, "stop": tell, "checkpoint_every": 0.02}
    if os.path.exists(path):
        return facts(prunus.resume(path, **common), name)
    problem = prunus.read(source)
    return facts(prunus.solve(problem, checkpoint=path, **common, **options), name)


def fork(work: Callable[[Say], dict[str, Any] | None]) -> tuple[int, Any]:
    """Run something in a process of its own; return that and what it says."""
    heard, said = os.pipe()
    child = os.fork()  # far quicker than to import everything again
    if child:
        os.close(said)
        return child, os.fdopen(heard)
    os.close(heard)
    code = 1
    try:
        found = work(lambda word: os.write(said, f"{word}\n".encode()) and None)
        os.write(said, json.dumps(found).encode())
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def one_life(
    work: Callable[[Say], dict[str, Any] | None], number: int, wait_s: float | None
) -> dict[str, Any] | None:
    """Run a life to its end, or until it is sent a signal so long after it was ready.

    Returns
    -------
    dict or None
        What it found; None if the signal ended it.
    """
    child, stream = fork(work)
    with stream:
        first = stream.readline()
        if wait_s is not None and first == "ready\n":
            time.sleep(wait_s)
            os.kill(child, number)
        words = stream.read() if first == "ready\n" else first
    status = os.waitpid(child, 0)[1]
    if status == signal.SIGKILL:
        return None
    if status:
        sys.exit("a life ended by itself")
    found: dict[str, Any] | None = json.loads(words)
    return found


def process(path: str, name: str, rng: random.Random) -> dict[str, Any] | None:
    """Kill a search outright."""
    devices = rng.choice(DEVICES)
    wait = rng.uniform(0, LONGEST_S)
    return one_life(lambda say: search(path, name, devices, say), signal.SIGKILL, wait)


def writing(path: str, name: str, rng: random.Random) -> dict[str, Any] | None:
    """Kill a search outright while it writes its checkpoint."""
    devices, which = rng.choice(DEVICES), rng.randint(1, 2)

    def work(say: Say) -> dict[str, Any]:
        write, count = atomic._replace, [0]

        def announced(*arguments: Any) -> None:
            count[0] += 1
            if count[0] == which:
                say("ready")
            write(*arguments)

        atomic._replace = announced
        return search(path, name, devices)

    return one_life(work, signal.SIGKILL, rng.uniform(0, 0.002))


def asked(path: str, name: str, rng: random.Random) -> dict[str, Any] | None:
    """Ask a command to end, as a batch system or a closed terminal does; it says that it has."""
    source, options = PROBLEMS[name]
    words = [f"--{key.replace('_', '-')}={value}" for key, value in options.items()]
    command = ["solve", source, "--checkpoint", path, *words]
    if os.path.exists(path):
        command = ["resume", path]

    def work(say: Say) -> dict[str, Any] | None:
        for sink in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sink)
        scheduler_run = Scheduler.run

        def announced(self: Scheduler, *arguments: Any, **options: Any) -> Any:
            say("ready")
            return scheduler_run(self, *arguments, **options)

        Scheduler.run = announced
        for ends in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(ends, signal.SIG_DFL)  # as a shell has it, whatever runs the tests
        try:
            main([*command, "--devices", "cpu:2"])
        except SystemExit as leaving:
            code = leaving.code
        if code not in (ExitCode.PROVEN, ExitCode.INTERRUPTED):
            raise RuntimeError(f"exit code {code}")
        return None if code else search(path, name, "cpu:1")

    number = rng.choice([signal.SIGTERM, signal.SIGHUP])
    return one_life(work, number, rng.uniform(0, LONGEST_S))


KILLED_LIVES: dict[str, Callable[[str, str, random.Random], dict[str, Any] | None]] = {
    "process": process,
    "writing": writing,
    "asked": asked,
}


def searches(what: str, name: str, kills: int, rng: random.Random) -> tuple[int, int]:
    """Kill lives until there were so many; return the number of kills and of ends."""
    source, options = PROBLEMS[name]
    truth = facts(prunus.solve(prunus.read(source), devices="cpu:1", **options), name)
    killed = ended = 0
    with tempfile.TemporaryDirectory() as folder:
        while killed < kills:
            path = os.path.join(folder, f"{ended}.ckpt")
            found, lives = None, 0
            while found is None and lives < MOST_LIVES and killed < kills:
                found = KILLED_LIVES[what](path, name, rng)
                lives += 1
                killed += found is None
                if os.path.exists(path):
                    read_checkpoint(path)
            if found is None:
                found = one_life(partial(search, path, name, "cpu:2"), signal.SIGKILL, None)
            assert found == truth, (found, truth)
            ended += 1
    return killed, ended


class Pools:
    """Makes process pools, and kills a worker of each now and then, which breaks it.

    Attributes
    ----------
    killed
        How many workers were killed.
    """

    def __init__(self, most: int, rng: random.Random) -> None:
        self.killed = 0
        self._most, self._rng = most, rng
        self._context = multiprocessing.get_context("forkserver")
        self._context.set_forkserver_preload(["tests.fuzz.warm"])
        self._last: ProcessPoolExecutor | None = None
        self._nodes = 0
        self._works, self._over = threading.Event(), threading.Event()
        self._killer = threading.Thread(target=self._kill)

    def __enter__(self) -> Pools:
        """Begin to kill."""
        self._killer.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self._over.set()
        self._killer.join()

    def make(self) -> ProcessPoolExecutor:
        """Return a new pool."""
        self._last = ProcessPoolExecutor(2, self._context)
        return self._last

    def watch(self, progress: Any) -> bool:
        """Note that something was done: an executor that only fails ends a search."""
        if progress.nodes > self._nodes:
            self._nodes = progress.nodes
            self._works.set()
        return False

    def _kill(self) -> None:
        broken = None
        while self.killed < self._most and not self._over.wait(self._rng.uniform(0, 0.1)):
            pool = self._last
            alive = list(dict(pool._processes or {})) if pool is not None else []
            if alive and pool is not broken and self._works.is_set():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self._rng.choice(alive), signal.SIGKILL)
                    broken = pool
                    self.killed += 1
                    self._works.clear()


def workers(name: str, kills: int, rng: random.Random) -> tuple[int, int]:
    """Kill workers of process pools while they search; new pools take their place."""
    quick = {"shortest_unit_s": 0.005, "least_cost_ratio": 1.0, "usual_cost_ratio": 1.0}
    tuning.DEFAULT_TUNING = replace(tuning.DEFAULT_TUNING, **quick)
    source, options = PROBLEMS[name]
    problem = prunus.read(source)
    truth = facts(prunus.solve(problem, devices="cpu:1", **options), name)
    killed = ended = 0
    while killed < kills:
        with Pools(min(MOST_LIVES, kills - killed), rng) as pools:
            result = prunus.solve(
                problem, executor=pools.make, devices="cpu:1", stop=pools.watch, **options
            )
        found = facts(result, name)
        assert found == truth, (found, truth)
        killed += pools.killed
        ended += 1
    return killed, ended


def kill_many(what: str, name: str, kills: int, seed: int) -> tuple[int, int]:
    """Kill so many; return how many that were, and how many searches came to an end."""
    rng = random.Random(seed)
    if what == "workers":
        return workers(name, kills, rng)
    return searches(what, name, kills, rng)


if __name__ == "__main__":
    what, name, kills, seed = sys.argv[1:]
    killed, ended = kill_many(what, name, int(kills), int(seed))
    print(json.dumps({"killed": killed, "ended": ended}), flush=True)
