"""Topics on the cards of one machine: side by side where each needs one, every one with a limit.

A topic that fails or takes too long loses nothing but itself.
"""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

__all__ = ["Outcome", "Runner", "Topic"]

NOT_THERE = 127
"""The exit status of a command that cannot be started."""

GRACE = 3.0
"""Seconds that a topic has to end after it was told to."""


@dataclass(frozen=True)
class Topic:
    """Something to run.

    Attributes
    ----------
    name
        Of the topic, and of its log.
    commands
        Run one after the other, also behind one that fails.
    seconds
        How long that should take, compilation included.
    cards
        How many it needs.
    alone
        Nothing may run beside it.
    first
        Before everything else.
    asked
        It is run only where it is named.
    """

    name: str
    commands: tuple[tuple[str, ...], ...]
    seconds: float
    cards: int = 1
    alone: bool = False
    first: bool = False
    asked: bool = False

    @property
    def beside(self) -> bool:
        """Whether others may run at the same time, on other cards."""
        return self.cards == 1 and not self.alone and not self.first

    @property
    def limit(self) -> float:
        """Seconds after which it is given up, if there is so much time."""
        return 2 * self.seconds + 30


@dataclass
class Outcome:
    """What became of a topic: "ended", "failed", "too slow", "running" or "not run"."""

    topic: Topic
    state: str = "not run"
    why: str = ""
    cards: Sequence[str] = ()
    began: float = 0.0
    seconds: float = 0.0
    limit: float = 0.0
    code: int | None = None

    def line(self) -> str:
        """Return a line for whoever watches."""
        on = f"card {','.join(self.cards)}" if self.cards else ""
        taken = f"{self.seconds:6.1f} s of {self.topic.seconds:.0f} expected" if self.cards else ""
        return f"{self.topic.name:14} {self.state:8} {on:10} {taken} {self.why}".rstrip()

    def as_dict(self) -> dict[str, Any]:
        """Return it for a JSON file."""
        return asdict(self)


@dataclass
class Runner:
    """Runs topics.

    Attributes
    ----------
    topics
        No two of one name.
    cards
        What CUDA calls the cards.
    budget
        Seconds for all.
    logs
        Folder of the logs; the commands run in ``root``.
    tell
        Called, by any thread, whenever a topic begins or ends.
    environment
        Of the commands, beside the usual.
    """

    topics: Sequence[Topic]
    cards: Sequence[str]
    budget: float
    logs: Path
    root: Path
    tell: Callable[[Outcome], None] = lambda outcome: None
    environment: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Start the clock."""
        self.start = time.monotonic()
        self.outcomes = [Outcome(topic) for topic in self.topics]
        self._lock = threading.RLock()  # a signal's handler may take it while it is held
        self._processes: set[subprocess.Popen[bytes]] = set()
        self._stopped = False

    @property
    def left(self) -> float:
        """Seconds that are left of the budget."""
        return self.budget - (time.monotonic() - self.start)

    def run(self) -> None:
        """Run all: the first ones, those that need one card side by side, the others one by one."""
        last = [o for o in self.outcomes if not o.topic.first and not o.topic.beside]
        for outcome in self.outcomes:
            if outcome.topic.first:
                self._one(outcome, self.cards, 0.0)
        waiting = [o for o in self.outcomes if o.topic.beside]
        kept = sum(o.topic.seconds for o in last if o.topic.cards <= len(self.cards))
        threads = [
            threading.Thread(target=self._spread, args=(waiting, card, kept), daemon=True)
            for card in self.cards
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for outcome in last:
            self._one(outcome, self.cards[: outcome.topic.cards], 0.0)

    def stop(self) -> None:
        """End what runs, and begin nothing more."""
        with self._lock:
            self._stopped = True
            processes = list(self._processes)
        for process in processes:
            _end(process)

    def _spread(self, waiting: list[Outcome], card: str, kept: float) -> None:
        """Run on one card whatever is next."""
        while True:
            with self._lock:
                if not waiting:
                    return
                outcome = waiting.pop(0)
            self._one(outcome, [card], kept)

    def _one(self, outcome: Outcome, cards: Sequence[str], kept: float) -> None:
        """Run a topic, if there is time for it beside what is kept for others."""
        topic, left = outcome.topic, self.left - kept
        if len(cards) < topic.cards:
            outcome.why = f"needs {topic.cards} cards"
        elif topic.seconds > left:
            outcome.why = f"{topic.seconds:.0f} s expected, {max(0.0, left):.0f} left"
        elif self._stopped:
            outcome.why = "stopped"
        else:
            self._do(outcome, cards, min(topic.limit, left))
        self.tell(outcome)

    def _do(self, outcome: Outcome, cards: Sequence[str], limit: float) -> None:
        outcome.state, outcome.cards, outcome.limit = "running", list(cards), limit
        outcome.began = time.monotonic() - self.start
        self.tell(outcome)
        begin = time.monotonic()
        state, code = "ended", 0
        with (self.logs / f"{outcome.topic.name}.log").open("ab") as log:
            for command in outcome.topic.commands:
                log.write(f"$ {' '.join(command)}\n".encode())
                log.flush()
                found = self._call(command, cards, log, limit + begin - time.monotonic())
                if found is None:
                    state = "too slow"
                    break
                if found:
                    state, code, outcome.why = "failed", found, f"exit {found}"
        outcome.seconds = round(time.monotonic() - begin, 1)
        outcome.state, outcome.code = state, code

    def _call(
        self, command: Sequence[str], cards: Sequence[str], log: Any, limit: float
    ) -> int | None:
        """Run a command; return its exit status, None if it took too long."""
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", **self.environment}
        environment["CUDA_VISIBLE_DEVICES"] = ",".join(cards)
        with self._lock:
            if self._stopped:
                return 1
            try:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    cwd=self.root,
                    env=environment,
                    start_new_session=True,
                )
            except OSError as error:
                log.write(f"{error}\n".encode())
                return NOT_THERE
            self._processes.add(process)
        try:
            return process.wait(max(0.1, limit))
        except subprocess.TimeoutExpired:
            _end(process)
            return None
        finally:
            with self._lock:
                self._processes.discard(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a command and all that it has started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            return
        try:
            process.wait(GRACE)
        except subprocess.TimeoutExpired:
            continue
        if number == signal.SIGKILL:
            return
