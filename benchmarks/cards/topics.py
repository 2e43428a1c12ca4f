"""What to run on cards, and how long it should take: the tests, and the benchmarks of each problem.

Seconds are what they took on H200s, or what NOTES tell of the same work, with the compilation of
all kernels in front of it.
Those that need one card come in the order in which they matter.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.cards.run import Topic

__all__ = ["Places", "topics"]

LARGE = "multigroup:400:3000000000:14:30:10:300:1"
SPANNER = "knapsack:spanner-strongly:100000:1000:50"


@dataclass(frozen=True)
class Places:
    """Where things are.

    Attributes
    ----------
    logs
        Where benchmarks may leave files.
    floors
        A folder of prototypes to run beside, if there is one.
    data
        A folder of instances, if there is one.
    cards
        How many cards there are.
    cores
        How many cores.
    """

    logs: Path
    floors: Path | None
    data: Path | None
    cards: int
    cores: int


def script(name: str, *words: str | int) -> tuple[str, ...]:
    """Return the command line of a benchmark."""
    return (sys.executable, "-m", f"benchmarks.{name}", *map(str, words))


def topics(places: Places) -> list[Topic]:
    """Return everything that can be run."""
    return [*_tests(places), *_one_card(places), *_several(places), *_asked(places)]


def _tests(places: Places) -> Iterator[Topic]:
    workers = max(1, min(48, places.cores - 2, 14 * places.cards))
    words = ["-m", "pytest", "-m", "gpu", "-rfE", "-n", str(workers)]
    words += ["-p", "benchmarks.cards.spread"]
    # A kernel that never ends takes its process along, and no other.
    words += ["--timeout", "90", "--timeout-method", "thread", "--tb", "short"]
    yield Topic("tests", ((sys.executable, *words),), 90, first=True)


def _one_card(places: Places) -> Iterator[Topic]:
    """What matters most first: the last ones may find no time."""

    def one(name: str, seconds: float, *words: str | int, floor: str = "") -> Topic:
        beside = ("--floor", str(places.floors / floor)) if places.floors and floor else ()
        return Topic(name, (script(*map(str, words), *beside),), seconds)

    yield one("ta056", 110, "treesearch.devices", "--gpus", 1, "--instances", "ta056", "--runs", 5)
    yield one("scratch", 80, "flowshop.gpu", "--repeats", 1, "--scratch")
    made = ("--only", "bare,two,four,lists,bits")
    yield one("subset", 55, "subset_sum.gpu", "--runs", 20, *made, floor="subset_sum.py")
    yield _pairs(places, "lsap", "geom", 20000, 40)
    yield one("dense", 22, "knapsack.gpu", "--ways", "now", floor="knapsack.py")
    yield one("shops", 22, "flowshop.gpu", "--tours", floor="flowshop.py")
    queens = ("--no-cpu", "--gpu", "17,18,19,20")
    yield one("queens", 10, "queens", *queens, floor="nqueens.py")
    yield one("core", 32, "knapsack.core", "--sizes", "10000,100000", "--repeats", 2)
    yield _pairs(places, "lsap-uniform", "unif,unifn", 0, 18)
    slow_last = ("--classes", "unif,unifn,geom,twosets", "--curve", 0, "--repeats", 1)
    yield one("lsap40", 90, "assignment.gpu", "--n", 40000, *slow_last)
    hard = ("--names", SPANNER), ("--large", LARGE)
    yield Topic("hard", tuple(script("knapsack.instances", *words) for words in hard), 20)
    if places.data is not None:
        yield _samples(places.data / "knapsack", places.logs / "jooken")
    yield _pairs(places, "lsap-sets", "twosets", 0, 60)
    yield one("lsap-more", 60, "assignment.more")


def _samples(data: Path, folder: Path) -> Topic:
    """Return a topic of knapsacks with a published optimum."""
    archive = data / "jooken-solved-sample.tar.xz"
    unpack = ("bash", "-c", f"mkdir -p {folder} && tar xJf {archive} -C {folder}")
    # Two rows of 10^10 cells fit on no card; these do.
    files = ",".join(f"{folder}/*_c_{capacity}_g_*.kp" for capacity in (10**6, 10**8))
    known = ("--published", str(data / "jooken-solved-sample.csv"))
    return Topic("jooken", (unpack, script("knapsack.instances", "--files", files, *known)), 25)


def _pairs(places: Places, name: str, classes: str, curve: int, seconds: float) -> Topic:
    """Return a topic of linear assignment, beside the prototype if that can be compiled."""
    words = script("assignment.gpu", "--n", "5000,20000", "--classes", classes, "--curve", curve)
    if places.floors is None:
        return Topic(name, (words,), seconds)
    source, built = places.floors / "assignment" / "gpu_lsap.cu", places.logs / f"floor-{name}"
    compiled = ("nvcc", "-O3", "-arch=sm_90", str(source), "-o", str(built))
    return Topic(name, (compiled, (*words, "--floor", str(built))), seconds)


def _several(places: Places) -> Iterator[Topic]:
    """Several cards, or many cores: one after the other, the quick ones first."""
    counts = ",".join(str(k) for k in (1, 2, 4) if k <= places.cards)
    many = max(k for k in (1, 2, 4) if k <= places.cards)
    small = "ta022,ta023,queens:18,queens:20"
    yield Topic(
        "team",
        (script("treesearch.devices", "--gpus", counts, "--instances", small, "--runs", 5),),
        12,
        cards=max(2, many),
    )
    yield Topic(
        "dense-cards",
        (script("knapsack.gpu", "--n", 100000, "--gpus", counts, "--ways", "now"),),
        10,
        cards=max(2, many),
    )
    rows = script("assignment.cards", "--cards", counts, "--n", 20000, "--classes", "geom,unif")
    yield Topic("rows", ((*rows, "--repeats", "3"),), 60, cards=max(2, many))
    yield Topic(
        "subset-cards",
        (script("subset_sum.gpu", "--only", "cards", "--cards", many),),
        45,
        cards=max(2, many),
    )
    yield Topic(
        "team-ta056",
        (script("treesearch.devices", "--gpus", counts[2:], "--instances", "ta056", "--runs", 2),),
        45,
        cards=max(2, many),
    )
    cores = max(1, min(15, places.cores - 1))
    yield Topic(
        "hybrid",
        (script("treesearch.devices", "--gpus", "", "--hybrid", 30, "--cores", cores),),
        30,
        alone=True,
    )
    together = script("subset_sum.gpu", "--only", "together")
    yield Topic("subset-together", (together,), 25, alone=True)
    four, two = (",".join(f"cuda:{i}" for i in range(k)) for k in (4, min(2, many)))
    lives = ("--devices", "cuda:0", four, two, "--kills", 4, "--cards", many)
    shop = ("ta056", "--upper-bound", 3679, "--nodes", 173314864804, *lives)
    yield Topic("kills-ta056", (script("treesearch.kills", *shop),), 35, cards=max(2, many))
    queens = ("queens:21", "--objective", 314666222712, "--every", 0.3, "--longest", 1.5, *lives)
    yield Topic("kills-queens", (script("treesearch.kills", *queens),), 60, cards=max(2, many))


def _asked(places: Places) -> Iterator[Topic]:
    """What takes long and changes little, and comparisons of ways that are not the default."""
    cards = script("knapsack.gpu", "--n", "100000,200000", "--gpus", "1,4", "--repeats", 1)
    yield Topic("ways-dense-cards", (cards,), 120, cards=4, asked=True)
    small = script("treesearch.sanitized")  # once without a sanitizer: that compiles the kernels
    for tool in ("memcheck", "racecheck"):
        checked = ("compute-sanitizer", "--tool", tool, *small)
        yield Topic(tool, (small, checked), 30, asked=True)
    # 149 GiB in the host's memory.
    large = ("--cards", "2", "--n", 200000, "--classes", "unif", "--no-exact", "--repeats", 1)
    yield Topic("rows-large", (script("assignment.cards", *large),), 240, cards=2, asked=True)
    folder = places.logs / "figures"
    yield Topic("pictures", (script("flowshop.gpu", "--figures", folder),), 60, asked=True)
