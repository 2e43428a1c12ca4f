"""Raise the lower bounds of shops whose best schedules are known, as far as a limit lets.

Trees below targets, each some times larger than the last one, say how large the next ones are;
what would not end in the seconds that are left is not begun. Nothing below the best schedule: it is
optimal. ``--schedules`` is a file of ``schedules``; what has become better is appended to
``--jsonl`` in the same form.

    python -m benchmarks.flowshop.bounds --schedules vfr-small.jsonl --folder VFR \
        --devices cuda:0,cuda:1 --seconds 30 --jsonl raised.jsonl VFR60_15_2 VFR30_20_5
"""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path
from typing import TypedDict

import prunus
from prunus.treesearch.estimate.growth import TreeGrowth

GROWTH = 5.0
"""The next tree may be so many times as large as the last one."""
LAST_STEP = 1.6
"""And this power of it if it is then the last one."""
FIRST_SHARE = 0.35
"""The first target is so far up from the root's bound."""
CHEAP_S = 0.1
"""Searches of fewer nodes than are usual in that time say nothing of how fast the devices are."""


class Line(TypedDict, total=False):
    """What a line of a file of schedules holds."""

    name: str
    makespan: int
    bound: int
    nodes: int
    seconds: float
    device: str
    schedule: list[int]


class Course:
    """The trees of one shop below targets; ``rate`` is in nodes a second."""

    def __init__(
        self, shop: prunus.FlowShop, line: Line, devices: str, rate: float, gap: float = 0.0
    ) -> None:
        self.makespan, self.schedule = line["makespan"], line["schedule"]
        self.bound = self.proven = line["bound"]
        self.rate, self.nodes, self.seconds = rate, 0, 0.0
        self._shop, self._devices, self._gap = shop, devices, gap
        self._growth, self._largest = TreeGrowth(), (0, 0)

    @property
    def wanted(self) -> int:
        """The bound at which it ends: the best makespan, or less by the gap that is allowed."""
        return math.ceil(self.makespan * (1 - self._gap))

    def foretold(self, target: int) -> tuple[float, float]:
        """Return the seconds that a target seems to take, and by how many decades that may err."""
        known = self._growth.below(target)
        if known is None:
            return math.inf, 0.0
        return known.nodes / self.rate, known.error

    def search(self, target: int, seconds: float) -> bool:
        """Search below a target; return whether that ended."""
        began = time.perf_counter()
        result = prunus.solve(
            self._shop,
            method="interval",
            proof="direct",
            first_incumbent="none",
            upper_bound=target,
            devices=self._devices,
            time_limit=seconds,
        )
        passed = time.perf_counter() - began
        self.nodes, self.seconds = self.nodes + result.nodes, self.seconds + passed
        if result.nodes > CHEAP_S * self.rate:
            self.rate = result.nodes / passed
        if result.solution is not None and result.objective < self.makespan:
            self.makespan = self._shop.evaluate(result.solution)
            self.schedule = result.solution.tolist()
        if result.status not in ("optimal", "infeasible"):
            return False
        self.bound = max(self.bound, min(target, self.makespan))
        if target <= self.makespan:
            self._growth.note(target, result.nodes)
            self._largest = (target, result.nodes)
        return True

    def next_target(self, left_s: float) -> int | None:
        """Return the next target: the largest that is wanted and can be afforded, if any."""
        target, nodes = self._largest
        if max(target, self.bound) >= self.wanted:
            return None
        wanted = target + 1
        for candidate in range(target + 1, self.wanted + 1):
            seconds, error = self.foretold(candidate)
            if seconds == math.inf:
                return min(self.wanted, target + 2)
            last = candidate == self.wanted
            power = LAST_STEP if last else 1.0
            if seconds * self.rate > max(nodes, 1000) * GROWTH**power and candidate > target + 1:
                continue
            if seconds * 10 ** min(error, 0.15) <= left_s:
                wanted = candidate
        seconds, error = self.foretold(wanted)
        return wanted if seconds * 10 ** min(error, 0.15) <= left_s else None


def raise_bound(course: Course, root: int, seconds: float) -> None:
    """Raise the bound of a shop for so many seconds at most."""
    began = time.perf_counter()
    target: int | None = root + int(FIRST_SHARE * (course.bound - root))
    while target is not None:
        left = seconds - (time.perf_counter() - began)
        if left <= 0 or not course.search(target, left):
            break
        target = course.next_target(seconds - (time.perf_counter() - began))


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="all that are open, without names")
    parser.add_argument("--schedules", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--devices", default="cuda:0")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--gap", type=float, default=0.0, help="that is good enough, %%")
    parser.add_argument("--rate", type=float, default=1e10, help="nodes a second, at first")
    parser.add_argument("--jsonl", type=Path)
    given = parser.parse_args()
    lines: list[Line] = [json.loads(text) for text in given.schedules.read_text().splitlines()]
    for line in lines:
        name = line["name"]
        if name not in given.names if given.names else line["bound"] == line["makespan"]:
            continue
        (path,) = given.folder.rglob(f"{name}_Gap.txt")
        shop = prunus.read(path)
        assert isinstance(shop, prunus.FlowShop)
        root = prunus.solve(shop, method="interval", devices="cpu:1", first_incumbent="neh",
                            stop=prunus.stop.MaxNodes(1)).bound  # fmt: skip
        course = Course(shop, line, given.devices, given.rate, given.gap / 100)
        raise_bound(course, int(root or 0), given.seconds)
        gap = (course.makespan - course.bound) / course.makespan
        left, error = course.foretold(course.wanted)
        print(
            f"{name} {course.makespan} ({line['makespan']}) bound {course.bound} "
            f"({line['bound']}), {100 * gap:.2f} %; {course.nodes / 1e9:.2f} G nodes in "
            f"{course.seconds:.2f} s; {course.wanted} seems to take {left:.3g} s, "
            f"{10**error:.1f} times more or less",
            flush=True,
        )
        if given.jsonl and (course.bound > line["bound"] or course.makespan < line["makespan"]):
            better: Line = {
                **line,
                "makespan": course.makespan,
                "bound": course.bound,
                "nodes": course.nodes,
                "seconds": round(course.seconds, 2),
                "device": given.devices,
                "schedule": course.schedule,
            }
            with given.jsonl.open("a") as file:
                file.write(json.dumps(better) + "\n")


if __name__ == "__main__":
    main()
