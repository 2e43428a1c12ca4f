"""What the benchmarks shall show on cards, and where in what they print it stands."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["WANTED", "Wanted"]

Texts = Mapping[str, str]
Find = Callable[[Texts], "float | None"]


@dataclass(frozen=True)
class Wanted:
    """A figure that is asked for.

    Attributes
    ----------
    issue, says
        Where, and what, in a few words.
    target
        A number; ``<`` or ``>`` before it tells which side is good.
    find
        Finds what was measured in the logs; None if it is not there.
    """

    issue: int
    says: str
    target: str
    find: Find

    def judge(self, texts: Texts) -> dict[str, Any]:
        """Return it with what was measured."""
        try:
            measured = self.find(texts)
        except (KeyError, ValueError, ZeroDivisionError):
            measured = None
        bound = float(self.target[1:])
        good = measured is not None and (
            measured <= bound if self.target[0] == "<" else measured >= bound
        )
        return {
            "issue": self.issue,
            "says": self.says,
            "target": self.target,
            "measured": measured,
            "shown": "-" if measured is None else f"{measured:.4g}",
            "verdict": "ok" if good else "not run" if measured is None else "SHORT",
        }


def every(topic: str, pattern: str) -> Callable[[Texts], list[float]]:
    """Return a function that finds all numbers after a pattern in a topic's log."""

    def find(texts: Texts) -> list[float]:
        return [float(word) for word in re.findall(pattern, texts.get(topic, ""), re.MULTILINE)]

    return find


def last(topic: str, pattern: str, scale: float = 1.0) -> Find:
    """Return a function that finds the last number after a pattern in a topic's log."""
    find = every(topic, pattern)

    def one(texts: Texts) -> float | None:
        found = find(texts)
        return scale * found[-1] if found else None

    return one


def most(topic: str, pattern: str) -> Find:
    """Return a function that finds the largest of the numbers after a pattern."""
    find = every(topic, pattern)
    return lambda texts: max(find(texts), default=None)


def ratio(above: Find, below: Find) -> Find:
    """Return a function that finds the ratio of two."""

    def find(texts: Texts) -> float | None:
        one, other = above(texts), below(texts)
        return None if one is None or other is None else one / other

    return find


def count(topic: str, pattern: str, after: str) -> Find:
    """Return a function that counts matches in a log, once ``after`` is there."""

    def find(texts: Texts) -> float | None:
        text = texts.get(topic, "")
        return float(len(re.findall(pattern, text, re.MULTILINE))) if after in text else None

    return find


def section(find: Find, topic: str, begin: str) -> Find:
    """Return a function that looks only at what stands from the last match to an empty line."""

    def inside(texts: Texts) -> float | None:
        found = list(re.finditer(begin, texts.get(topic, ""), re.MULTILINE))
        if not found:
            return None
        return find({topic: texts[topic][found[-1].start() :].split("\n\n")[0]})

    return inside


def failed(texts: Texts) -> float | None:
    """Return how many tests failed, of those that ran; None if they did not come to an end."""
    text = texts.get("tests", "")
    end = re.findall(r"^=*\s*((?:\d+ [a-z]+(?:, )?)+) in [\d.]+s", text, re.MULTILINE)
    if not end:
        return None
    words = {word: int(number) for number, word in re.findall(r"(\d+) ([a-z]+)", end[-1])}
    return float(sum(words.get(word, 0) for word in ("failed", "error", "errors")))


def overrun(texts: Texts) -> float | None:
    """Return by how many milliseconds the latest call of the curve missed its limit."""
    rows = re.findall(
        r"^ *(\d+)  [\d.naif]+  [\d.naif]+  ([\d.]+)$", texts.get("lsap", ""), re.MULTILINE
    )
    return max((float(longest) - float(limit) for limit, longest in rows), default=None)


def board(n: int) -> Find:
    """Return a function that finds the seconds of a count by ``queens``."""
    return last("queens", rf"^ *{n} .* all symmetries +([\d.]+) ms", 1e-3)


def shop(name: str, unit: str) -> str:
    """Return where ``flowshop.gpu`` prints a figure of an instance."""
    if unit == "s":
        return rf"^{re.escape(name)} +([\d.]+) s"
    return rf"^{re.escape(name)} +[\d.]+ s.*nodes +([\d.]+) G/s"


def team(name: str, cards: int) -> str:
    """Return where ``treesearch.devices`` prints the seconds of a search."""
    return rf"^{name} +{cards} GPU +([\d.]+) s"


def faster(name: str, topic: str = "team", alone: str = "team") -> Find:
    """Return a function that finds how much faster four cards are than one."""
    return ratio(last(alone, team(name, 1)), last(topic, team(name, 4)))


def pairs(label: str, what: str) -> Find:
    """Return a function that finds milliseconds of ``assignment.gpu`` at n = 20,000."""
    return last(
        "lsap" if label == GEOM else "lsap-uniform",
        rf"^{re.escape(label)} +20000  .*{what} +([\d.]+)",
    )


def table(n: int, pattern: str, topic: str = "dense") -> Find:
    """Return a function that looks at one size in what ``knapsack.gpu`` prints."""
    return section(last(topic, pattern), topic, rf"^paper, n = {n},")


def lists(n: int, method: str, pattern: str, scale: float = 1.0) -> Find:
    """Return a function that finds a figure of ``subset_sum.gpu``."""
    return last("subset", rf"^n={n} {method} .*{pattern}", scale)


def together(pattern: str, devices: str) -> Find:
    """Return a function that finds the least figure of a GPU with or without cores."""
    find = every("subset-together", rf"^n=76 {devices} +{pattern}")
    return lambda texts: min(find(texts), default=None)


def cores_share(texts: Texts) -> float | None:
    """Return by how many per cent of the work the cores' part is off its best."""
    got = together(r".*on cores ([\d.]+) %", "cpu,cuda:0")(texts)
    best = together(r".*at their speeds ([\d.]+) %", "cpu,cuda:0")(texts)
    return None if got is None or best is None else abs(got - best)


GEOM, UNIFORM, SMALL = "GEOM, maximise", "uniform, R = 10^6", "U{0..n-1}"
FOUR = r"{}, 4 GPU +[\d.]+ ms.*, x ([\d.]+)$"

WANTED = [
    Wanted(3, "tests on a card that failed", "<0", failed),
    Wanted(3, "ta021-ta030, optimum given: s in all", "<1.0", last("shops", shop("total", "s"))),
    Wanted(3, "of these, counts that are wrong", "<0", count("shops", r"  NOT \d", "total ")),
    Wanted(3, "ta056, optimum given: s", "<60", last("ta056", team("ta056", 1))),
    Wanted(3, "ta056 from scratch: s", "<90", last("scratch", shop("ta056 from scratch", "s"))),
    Wanted(3, "18 queens: s", "<0.057", board(18)),
    Wanted(3, "20 queens: s", "<1.5", board(20)),
    Wanted(3, "crane:17: G nodes/s", ">10", last("shops", shop("crane:17:1", "G"))),
    Wanted(3, "tsmat:15: G nodes/s", ">10", last("shops", shop("tsmat:15:1", "G"))),
    *(
        Wanted(3, f"{tool}: errors", "<0", last(tool, r"SUMMARY: (\d+) (?:error|hazard)"))
        for tool in ("memcheck", "racecheck")
    ),
    Wanted(4, "ta056, four cards: times one", ">3.8", faster("ta056", "team-ta056", "ta056")),
    Wanted(4, "20 queens, four cards: times one", ">3.8", faster("queens:20")),
    Wanted(4, "ta023, four cards: times one", ">3", faster("ta023")),
    Wanted(4, "hybrid, 30 runs: mean, % slower than the GPU", "<1",
           last("hybrid", r"^together .*cores [\d.]+ s \(([-+\d.]+)%")),
    Wanted(4, "hybrid, 30 runs: deviation, %", "<3",
           last("hybrid", r"^together .*deviation ([\d.]+)%")),
    Wanted(4, "ta056 killed, between one and four cards: exact", ">1",
           count("kills-ta056", "^the answer is exact", "killed ")),
    Wanted(4, "21 queens killed, between one and four cards: exact", ">1",
           count("kills-queens", "^the answer is exact", "killed ")),
    Wanted(5, "switching and gap, 20k GEOM: ms", "<10", pairs(GEOM, "switching")),
    Wanted(5, "switching and gap, 20k uniform: ms", "<3", pairs(UNIFORM, "switching")),
    Wanted(5, "exact, 20k GEOM: ms", "<500", pairs(GEOM, "exact")),
    Wanted(5, "exact, 20k uniform: ms", "<200", pairs(UNIFORM, "exact")),
    Wanted(5, "exact, 20k U{0..n-1}: ms", "<140", pairs(SMALL, "exact")),
    Wanted(5, "exact, 40k: rows in the table", ">4",
           count("lsap40", r" 40000  .*exact", "milliseconds")),
    Wanted(5, "latest call of the curve: ms late", "<2", overrun),
    Wanted(5, "latest answer to a deadline of 3 to 100 ms: ms late", "<2",
           most("lsap-more", r" ms: late (-?[\d.]+),")),
    Wanted(5, "100,000 points: solves", ">4", count("lsap-more", r"^points 100000, ", "-- points")),
    Wanted(5, "rows on several cards, 20k: lines, all agreeing", ">2",
           count("rows", r" 20000 on [2-8]: .* exact ", "milliseconds")),
    Wanted(5, "rows on two cards, 200k (149 GiB): lines", ">1",
           count("rows-large", r" 200000 on 2: ", "milliseconds")),
    *(
        Wanted(6, f"paper's class, n = {n:,}: of the floor's time", "<0.6",
               table(n, r"tied, 1 GPU .* ([\d.]+) of the floor"))
        for n in (10_000, 50_000, 100_000)
    ),
    Wanted(6, "items, n = 100,000: times the value", "<2.3",
           table(100_000, r"tied, 1 GPU .*items .*\(x ([\d.]+)\)")),
    Wanted(6, "n = 100,000, four cards, raw: times one", ">3.5",
           table(100_000, FOUR.format("raw"), "dense-cards")),
    Wanted(6, "n = 100,000, four cards, tied: times one", ">3.5",
           table(100_000, FOUR.format("tied"), "dense-cards")),
    *(
        Wanted(6, f"{kind}{way}, n = {n}: s", "<2",
               last("core", rf"^\| {kind}{way} \| {n} \| \d+ \| ([\d.]+) \|"))
        for way in ("", ", lists alone")
        for kind in ("multiple-strongly", "circle")
        for n in ("10,000", "100,000")
    ),
    Wanted(6, "spanner strongly, n = 100,000, dense: s", "<0.1",
           last("hard", r"^knapsack:spanner-strongly:100000\S* +\d+ +([\d.]+)")),
    Wanted(6, "one array, C = 3·10^9: items, times the value", "<2.3",
           last("hard", r"^  items, halves .*, x ([\d.]+)$")),
    Wanted(6, "samples solved on the card", ">60",
           count("jooken", r"^n_\d+_c_\d+.* \d", "instance ")),
    *(
        Wanted(7, f"two lists, n = {n}: of the floor's time", "<0.6",
               lists(n, "two-list", r"ms  ([\d.]+) of the floor"))
        for n in (48, 52, 56, 60, 64)
    ),
    *(
        Wanted(7, f"two lists, n = {n}, without solve: of the floor's time", "<0.6",
               lists(n, "two-list", r"; bare ([\d.]+) of the floor"))
        for n in (48, 52, 56, 60, 64)
    ),
    *(
        Wanted(7, f"four lists, n = {n}: s", f"<{target}",
               lists(n, "four-list", r"unsolvable +([\d.]+) ms", 1e-3))
        for n, target in ((60, 0.015), (68, 0.5), (72, 2), (80, 60))
    ),
    Wanted(7, "four lists, n = 76, four cards: times one", ">3.8",
           last("subset-cards", r"^n=76 on 4 card\(s\) [\d.]+ s, ([\d.]+) times one$")),
    Wanted(7, "GPU and cores: of the GPU's time alone", "<1.01",
           ratio(together(r"([\d.]+) s", "cpu,cuda:0"), together(r"([\d.]+) s", "cuda:0"))),
    Wanted(7, "GPU and cores: share off its best, % of the work", "<5", cores_share),
    Wanted(7, "GPU and cores: of the time with the best set share", "<1.05",
           last("subset-together", r"^n=76 share found: ([\d.]+) times")),
]  # fmt: skip
"""Everything that the five issues ask for on cards and that the benchmarks print."""
