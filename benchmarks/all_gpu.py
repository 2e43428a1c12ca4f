"""Run the GPU tests and every benchmark that wants a GPU, one after the other.

    python -m benchmarks.all_gpu
    python -m benchmarks.all_gpu --only tests,shops,queens --data FOLDER

Each topic prints its tables as it goes, and has a time limit. A folder of published instances
(``--data``) is not part of the project: without it what needs it is left out.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent


class Topic(NamedTuple):
    """Something to run."""

    name: str
    """What ``--only`` calls it."""
    module: str
    """A module with a command line."""
    words: str
    """Its arguments."""
    limit_s: float
    """Seconds after which it is ended."""
    gpus: int = 1
    """How many it needs."""
    usual: bool = True
    """Whether it is run without being named."""


def topics(data: Path | None = None) -> list[Topic]:
    """Return everything that can be run, what matters most first."""
    lives = "--devices cuda:0 cuda:0,cuda:1 --kills 4 --cards 2"
    samples = f"--files {data}/*.kp --published {data}/jooken-solved-sample.csv" if data else ""
    return [
        Topic("tests", "pytest", "-m gpu -rfE --timeout 90 --timeout-method thread", 600),
        Topic("ta056", "benchmarks.treesearch.devices", "--gpus 1 --instances ta056 --runs 5", 250),
        Topic("scratch", "benchmarks.flowshop.gpu", "--repeats 1 --scratch", 190),
        Topic(
            "subset", "benchmarks.subset_sum.gpu", "--runs 20 --only bare,two,four,lists,bits", 140
        ),
        Topic("assignment", "benchmarks.assignment.gpu", "--n 5000,20000 --curve 20000", 250),
        Topic("dense", "benchmarks.knapsack.gpu", "--ways now", 75),
        Topic("shops", "benchmarks.flowshop.gpu", "--tours", 75),
        Topic("queens", "benchmarks.queens", "--no-cpu --gpu 17,18,19,20", 50),
        *([Topic("samples", "benchmarks.knapsack.instances", samples, 80)] if data else []),
        Topic("assignment-more", "benchmarks.assignment.more", "", 150),
        Topic("assignment-batches", "benchmarks.assignment.batches", "", 120),
        Topic("gpu-and-cores", "benchmarks.treesearch.devices", "--gpus= --hybrid 30", 90),
        Topic("subset-and-cores", "benchmarks.subset_sum.gpu", "--only together", 80),
        Topic(
            "two-gpus",
            "benchmarks.treesearch.devices",
            "--gpus 1,2 --instances ta022,ta023,queens:18,queens:20 --runs 5",
            60,
            gpus=2,
        ),
        Topic(
            "dense-two-gpus", "benchmarks.knapsack.gpu", "--n 100000 --gpus 1,2 --ways now", 50, 2
        ),
        Topic("rows", "benchmarks.assignment.cards", "--cards 1,2 --n 20000", 150, 2),
        Topic("subset-two-gpus", "benchmarks.subset_sum.gpu", "--only cards --cards 2", 120, 2),
        Topic(
            "kills",
            "benchmarks.treesearch.kills",
            f"queens:21 --objective 314666222712 --every 0.3 --longest 1.5 {lives}",
            150,
            2,
        ),
        Topic("sanitized", "benchmarks.treesearch.sanitized", "", 90, usual=False),
    ]


def chosen(everything: list[Topic], only: str, gpus: int) -> list[Topic]:
    """Return the topics that were named, or the usual ones that so many GPUs are enough for.

    Raises
    ------
    SystemExit
        If there is none of a name.
    """
    names = [name for name in only.split(",") if name]
    if unknown := set(names) - {topic.name for topic in everything}:
        sys.exit(
            f"no topic {', '.join(sorted(unknown))}; "
            f"there are {', '.join(topic.name for topic in everything)}"
        )
    return [t for t in everything if (t.name in names if names else t.usual) and t.gpus <= gpus]


def run(topic: Topic) -> str:
    """Run a topic; return how it ended, in a line."""
    command = [sys.executable, "-m", topic.module, *topic.words.split()]
    print(f"\n== {topic.name}: {' '.join(command[1:])}", flush=True)
    begin = time.monotonic()
    try:
        code = subprocess.run(command, cwd=ROOT, timeout=topic.limit_s, check=False).returncode
        ended = "ended" if code == 0 else f"FAILED ({code})"
    except subprocess.TimeoutExpired:
        ended = "TOO SLOW"
    return f"{topic.name:18} {time.monotonic() - begin:6.1f} s  {ended}"


def main(words: list[str] | None = None) -> int:
    """Run what was asked for; return 0 if all of it ended well."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default="", help="topics, with commas")
    parser.add_argument("--gpus", type=int, default=1, help="how many there are (1)")
    parser.add_argument("--data", type=Path, help="a folder of published knapsacks")
    given = parser.parse_args(words)
    some = chosen(topics(given.data), given.only, given.gpus)
    ends = [run(topic) for topic in some]
    print("\n" + "\n".join(ends))
    return int(any(not end.endswith("  ended") for end in ends))


if __name__ == "__main__":
    sys.exit(main())
