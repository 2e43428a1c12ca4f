"""Everything that wants a card, in one command and a given time: tests, then every benchmark.

    python -m benchmarks.card --dry
    python -m benchmarks.card --budget 560 --out results --floors FOLDER --data FOLDER
    python -m benchmarks.card --only tests,shops,queens

Topics that need one card run side by side, one a card; those that need several, or many cores, one
after the other behind them. Each has a time limit. Results are written all the while, into three
files; the table of what was asked for and what was measured comes last. Folders of prototypes
(``--floors``) and of instances (``--data``) are not part of the project: without them what needs
them is left out. Topics side by side want a few cores each.
"""

from __future__ import annotations

import argparse
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))  # where this file is run as a script

from benchmarks.cards.figures import WANTED  # noqa: E402
from benchmarks.cards.record import Record  # noqa: E402
from benchmarks.cards.run import Outcome, Runner, Topic  # noqa: E402
from benchmarks.cards.topics import Places, topics  # noqa: E402

RESERVE = 12.0
"""Seconds of the budget that are kept for the end."""


def all_cards() -> list[str]:
    """Return what CUDA calls the cards of this machine."""
    given = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    if given:
        return given.split(",")
    try:
        told = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return []
    return [str(i) for i, _ in enumerate(line for line in told.stdout.splitlines() if line)]


def chosen(everything: Sequence[Topic], only: str, without: str) -> list[Topic]:
    """Return the topics that are asked for.

    Raises
    ------
    SystemExit
        If there is none of a name.
    """
    names = {topic.name for topic in everything}
    wanted, unwanted = ({w for w in words.split(",") if w} for words in (only, without))
    if unknown := (wanted | unwanted) - names:
        sys.exit(f"no topic {', '.join(sorted(unknown))}; there are {', '.join(sorted(names))}")
    usual = {topic.name for topic in everything if not topic.asked}
    return [t for t in everything if t.name in (wanted or usual) and t.name not in unwanted]


def arguments(words: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--budget", type=float, default=560.0, help="seconds for everything")
    parser.add_argument("--cards", help="which, with commas, as CUDA numbers them; all by default")
    parser.add_argument("--only", default="", help="topics, with commas")
    parser.add_argument("--without", default="", help="topics to leave out, with commas")
    parser.add_argument("--out", default=os.environ.get("OUT", "card-results"), help="a folder")
    parser.add_argument("--floors", type=Path, help="a folder of prototypes to run beside")
    parser.add_argument("--data", type=Path, help="a folder of instances")
    parser.add_argument("--dry", action="store_true", help="list what would run")
    return parser.parse_args(words)


def dry(some: Sequence[Topic], cards: int) -> None:
    """List what would run and how long it should take."""
    for topic in some:
        how = "first" if topic.first else "side by side" if topic.beside else "by itself"
        named = ", only if named" if topic.asked else ""
        print(f"{topic.name:14} {topic.seconds:4.0f} s, {topic.cards} card(s), {how}{named}")
        for command in topic.commands:
            print(f"    {' '.join(command)}")
    rest = [t for t in some if t.cards <= cards]
    beside = [t.seconds for t in rest if t.beside]
    long = max([sum(beside) / max(1, cards), *beside], default=0.0)
    total = sum(t.seconds for t in rest if not t.beside) + long
    print(f"about {total:.0f} s on {cards} card(s)")


def absolute(folder: Path | None) -> Path | None:
    """Return where a folder is, whatever the current one.

    Raises
    ------
    SystemExit
        If it is not there.
    """
    if folder is not None and not folder.is_dir():
        sys.exit(f"{folder} is not a folder")
    return folder.resolve() if folder else None


def main(words: Sequence[str] | None = None, everything: Sequence[Topic] | None = None) -> int:
    """Run what was asked for; return 0 if all of it ended well."""
    given = arguments(words)
    cards = given.cards.split(",") if given.cards else all_cards()
    logs = Path(tempfile.mkdtemp(prefix="card-"))
    places = Places(
        logs, absolute(given.floors), absolute(given.data), max(1, len(cards)), os.cpu_count() or 1
    )
    some = chosen(everything or topics(places), given.only, given.without)
    if given.dry:
        dry(some, len(cards))
        return 0
    if not cards:
        sys.exit("there is no card: nvidia-smi finds none; name them with --cards")
    paths = [str(ROOT / "src"), str(ROOT), os.environ.get("PYTHONPATH", "")]
    about = {
        "date": time.strftime("%F %T"),
        "machine": f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores",
        "cards": cards,
        "budget": given.budget,
    }
    start = time.monotonic()

    def tell(outcome: Outcome) -> None:
        print(f"{time.monotonic() - start:6.1f}  {outcome.line()}", flush=True)

    environment = {"PYTHONPATH": ":".join(filter(None, paths)), "COLUMNS": "150"}
    runner = Runner(some, cards, given.budget - RESERVE, logs, ROOT, tell, environment)
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    with Record(Path(given.out), logs, about, WANTED) as record:
        record.outcomes = runner.outcomes
        for number in before:
            signal.signal(number, lambda *_: runner.stop())
        try:
            runner.run()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    print(record.summary(), flush=True)
    return int(any(outcome.state != "ended" for outcome in runner.outcomes))


if __name__ == "__main__":
    sys.exit(main())
