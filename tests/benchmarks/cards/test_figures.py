"""Every figure that is asked for is found in what the benchmarks themselves print."""

from __future__ import annotations

import argparse
import itertools
import math
import sys
from types import SimpleNamespace

import numpy as np
import pytest

import prunus


def shops(monkeypatch):
    """Print what ``flowshop.gpu`` prints."""
    from benchmarks.flowshop import gpu as bench

    row = {"name": "ta021", "seconds": 0.03, "nodes": 461634463, "expected_nodes": 461634463}
    bench.show({**row, "floor_seconds": 0.17})
    bench.show({**row, "name": "ta022", "expected_nodes": 45955964})
    bench.show({"name": "total", "seconds": 0.28, "floor_seconds": 1.55})
    bench.show({"name": "tsmat:15:1", "seconds": 0.01, "nodes": 505_862_538})
    bench.show({"name": "crane:17:1", "seconds": 0.0119, "nodes": 606_813_315})


def scratch(monkeypatch):
    """Print what it prints of ta056 from nothing."""
    from benchmarks.flowshop import gpu as bench

    bench.show({"name": "total", "seconds": 0.28})
    row = {"name": "ta056 from scratch", "seconds": 64.0, "nodes": 440 * 10**9}
    bench.show({**row, "objective": 3679, "status": "optimal"})


def devices(seconds):
    """Return a function that prints what ``treesearch.devices`` prints of some searches."""

    def show(monkeypatch):
        from benchmarks.treesearch import devices as bench

        def case(name, devices, runs, **options):
            figures = {"nodes": 173_314_864_804, "idle": 0.01, "steals": 30, "steals_inside": 2}
            return {**figures, "seconds": seconds[name] / len(devices.split(","))}

        monkeypatch.setattr(bench, "warm_up", lambda *_, **__: None)
        monkeypatch.setattr(bench, "case", case)
        for name in seconds:
            bench.speedups([1, 2, 4], [name], 2)

    return show


def hybrid(monkeypatch):
    """Print what it prints of a GPU with cores."""
    from benchmarks.treesearch import devices as bench

    monkeypatch.setattr(bench, "warm_up", lambda *_, **__: None)
    run = iter(np.linspace(1, 1.01, 1000))
    monkeypatch.setattr(bench, "one_run", lambda *_, **__: {"seconds": next(run)})
    bench.hybrid(["ta022", "ta023"], 15, 30, ["power"])


def queens(monkeypatch):
    """Print what ``queens`` prints."""
    from benchmarks import queens as bench

    for n in (17, 18, 20):
        case = {"all symmetries": lambda n=n: (bench.SOLUTIONS[n], 10**9)}
        bench.row([], "NVIDIA H200", n, case, 5, itertools.count().__next__)


def kills(monkeypatch):
    """Print what ``treesearch.kills`` prints."""
    from benchmarks.treesearch import kills as bench

    lives = iter([None, None, {"nodes": 5, "objective": 3}])
    monkeypatch.setattr(bench, "one_life", lambda *_: next(lives))
    monkeypatch.setattr(sys, "argv", ["kills", "ta056", "--nodes", "5", "--devices", "cuda:0"])
    bench.main()


def lsap(n, classes="geom,twosets,unif,unifn"):
    """Return a function that prints what ``assignment.gpu`` prints for some sizes."""

    def show(monkeypatch):
        from benchmarks.assignment import gpu as bench

        run = {"wall": 16.0, "worst": 17.0, "kernels": 12.0, "gap": 1e-4}
        run |= {"objective": [5, 5], "optimal": True}
        rows = [{"limit": k, "wall": [k + 1.5], "gap": 0.1, "deviation": 0.0} for k in bench.LIMITS]
        rows[0]["gap"] = rows[0]["deviation"] = math.inf
        result = SimpleNamespace(objective=5)
        monkeypatch.setattr(bench, "instance", lambda *_: np.eye(2))
        monkeypatch.setattr(bench, "measure", lambda *_, **__: run)
        monkeypatch.setattr(bench, "solve", lambda *_, **__: (result, 1.0))
        monkeypatch.setattr(bench, "curve", lambda *_: rows)
        words = ["--n", n, "--classes", classes, "--curve", "20000" if classes == "geom" else "0"]
        monkeypatch.setattr(sys, "argv", ["assignment_gpu", *words])
        bench.main()

    return show


def lsap_more(monkeypatch):
    """Print what ``assignment.more`` prints."""
    from benchmarks.assignment import more as bench

    row = {"ms": 5.0, "worst": 7.5, "gap": 1e-4, "optimal": True, "objectives": [5]}
    monkeypatch.setattr(bench, "timed", lambda *_, **__: {**row, "statistics": {"bids": 7}})
    monkeypatch.setattr(prunus.Assignment, "from_points", lambda *_, **__: None)
    monkeypatch.setattr(bench, "instance", lambda *_: np.eye(2))
    bench.more([5000, 20_000], many=100_000, repeats=1, seed=1)


def rows(n):
    """Return a function that prints what ``assignment.cards`` prints."""

    def show(monkeypatch):
        from benchmarks.assignment import cards as bench

        way = {"inside": 5.0, "gap": 1e-4, "solution": 1, "objective": 2}
        row = dict.fromkeys(bench.SHARED, 0.5) | {"placing_s": 1.0}
        row |= dict.fromkeys(("switching", "parallel", "exact", "random"), way)
        monkeypatch.setattr(bench, "on_host", lambda *_: np.eye(2))
        monkeypatch.setattr(bench, "row_of", lambda *_, **__: row)
        bench.table([1, 2, 4], [n], ["geom", "unif"], repeats=3, seed=1, exact=True)

    return show


def dense(gpus, floor, sizes):
    """Return a function that prints what ``knapsack.gpu`` prints of the paper's class."""

    def show(monkeypatch):
        from benchmarks.knapsack import gpu as bench

        class Fast:
            plan = value = staticmethod(lambda *_: 3)
            choose = staticmethod(lambda *_: [0])

        w = np.array([1, 1])
        seconds = {"value": 0.054, "choose": 0.059, "plan": 0.005}
        monkeypatch.setattr(bench, "CLASSES", {"paper": lambda n: (w, np.array([3, 1]), 1)})
        monkeypatch.setattr(bench, "CudaDevice", lambda i: SimpleNamespace(model="H200"))
        monkeypatch.setattr(
            bench, "Floor", lambda path: SimpleNamespace(best=lambda n: (1.0, 3, ""))
        )
        monkeypatch.setattr(bench, "dense", lambda *_, **__: Fast)
        monkeypatch.setattr(bench, "ceiling", lambda: 4e12)
        monkeypatch.setattr(bench, "trim", lambda *_: SimpleNamespace(cells=10**9))
        turns = iter(["plan", "value", "choose"] * 100)

        def measure(work, repeats):
            kind = next(turns)
            return seconds[kind], 3 if kind == "value" else np.array([0])

        monkeypatch.setattr(bench, "measure", measure)
        given = {"gpus": gpus, "floor": floor, "sizes": sizes, "classes": ["paper"], "repeats": 3}
        bench.table(argparse.Namespace(**given, ways=""))

    return show


def jooken(monkeypatch):
    """Print what it prints of files."""
    from benchmarks.knapsack import instances as bench

    result = SimpleNamespace(objective=7, method="groups")
    problem = SimpleNamespace(weights=1, profits=1, capacity=1, evaluate=lambda chosen: 7)
    names = [f"n_400_c_1000000_g_14_f_0.1_eps_1e-05_s_{k}.kp" for k in range(60)]
    monkeypatch.setattr(bench, "CudaDevice", lambda i: None)
    monkeypatch.setattr(bench, "dense", lambda *_, **__: SimpleNamespace(choose=lambda *_: []))
    monkeypatch.setattr(prunus, "solve", lambda *_, **__: result)
    monkeypatch.setattr(bench, "glob", SimpleNamespace(glob=lambda pattern: names))
    monkeypatch.setattr(prunus, "read", lambda path: problem)
    bench.files(argparse.Namespace(files="*.kp", names="", published=None))


def hard(monkeypatch):
    """Print what it prints of the spanner class and of tables of one array."""
    from benchmarks.cards.topics import LARGE, SPANNER
    from benchmarks.knapsack import instances as bench

    row = {"optimum": 7, "dense": 0.002, "solve": 0.08, "method": "core"}
    monkeypatch.setattr(bench, "CudaDevice", lambda i: SimpleNamespace(free_memory=lambda: 10**9))
    monkeypatch.setattr(bench, "both", lambda *_: row)
    bench.files(argparse.Namespace(files="", names=SPANNER, published=None))
    w = np.array([1, 1])
    problem = SimpleNamespace(weights=w, profits=w, capacity=1)
    method = SimpleNamespace(value=lambda *_: 1, choose=lambda *_: [0])
    monkeypatch.setattr(prunus, "read", lambda name: problem)
    monkeypatch.setattr(bench, "LargeDense", lambda *_: method)
    bench.large(argparse.Namespace(large=LARGE))


def core(monkeypatch):
    """Print what ``knapsack.core`` prints."""
    from benchmarks.knapsack import core as bench

    monkeypatch.setattr(prunus, "read", lambda name: None)
    for way in ("whole", "alone"):
        monkeypatch.setattr(bench, way, lambda *_: (True, 1, {"states": 10**9}))
    monkeypatch.setattr(sys, "argv", ["knapsack_core", "--sizes", "10000,100000"])
    bench.main()


def subset(monkeypatch):
    """Print what ``subset_sum.gpu`` prints."""
    from benchmarks.subset_sum import tables as bench

    monkeypatch.setattr(bench, "seconds", lambda *_, **__: 0.0123)
    device = SimpleNamespace(finish=lambda: None, fits=lambda size: True)
    monkeypatch.setattr(bench, "open_gpu", lambda index: device)
    made = SimpleNamespace(pieces=1, run=lambda *_: SimpleNamespace(subset=None))
    monkeypatch.setattr(bench, "TwoListsOnGpu", lambda *_, **__: made)
    floor = dict.fromkeys(range(48, 65), 42.3)
    for n in (48, 52, 56, 60, 64):
        bench.bare_row(n, 1, floor)
        bench.gpu_row(n, "two-list", 1, floor, "cuda:0")
    for n in (60, 68, 72, 80):
        bench.gpu_row(n, "four-list", 1, {}, "cuda:0")


def subset_together(monkeypatch):
    """Print what it prints of a GPU with cores."""
    from benchmarks.subset_sum import together as bench

    shares = {"cuda:0": 9990, "cpu:0": 10}
    result = SimpleNamespace(runtime=0.3, statistics={"pieces_by_device": shares, "pieces": 10_000})
    monkeypatch.setattr(bench, "cores_alone", lambda problem: 30.0)
    monkeypatch.setattr(bench, "set_share", lambda problem, share: 0.3)
    monkeypatch.setattr(prunus, "solve", lambda *_, **__: result)
    bench.together_table(76)


def subset_cards(monkeypatch):
    """Print what it prints of several cards."""
    from benchmarks.subset_sum import tables as bench

    monkeypatch.setattr(bench, "seconds", lambda *_, devices, **__: 2.0 / len(devices.split(",")))
    bench.cards_table(76, 4)


def tests(monkeypatch):
    """Print what pytest prints at its end."""
    print("FAILED tests/a.py::test_b")
    print("2 failed, 310 passed, 4 skipped, 1 error in 75.10s (0:01:15)")


def memcheck(monkeypatch):
    """Print what compute-sanitizer prints at its end."""
    print("========= ERROR SUMMARY: 0 errors")


def racecheck(monkeypatch):
    """Print what it prints of races."""
    print("========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)")


PRINTED = {
    "tests": tests,
    "memcheck": memcheck,
    "racecheck": racecheck,
    "shops": shops,
    "scratch": scratch,
    "ta056": devices({"ta056": 20.7}),
    "team": devices({"ta023": 0.18, "queens:20": 0.45}),
    "team-ta056": devices({"ta056": 20.7}),
    "hybrid": hybrid,
    "queens": queens,
    "kills-ta056": kills,
    "kills-queens": kills,
    "lsap": lsap("5000,20000", "geom"),
    "lsap-uniform": lsap("5000,20000", "unif,unifn"),
    "lsap40": lsap("40000"),
    "lsap-more": lsap_more,
    "rows": rows(20_000),
    "rows-large": rows(200_000),
    "hard": hard,
    "dense": dense([1], "floor", [10_000, 50_000, 100_000]),
    "dense-cards": dense([1, 2, 4], None, [100_000]),
    "jooken": jooken,
    "core": core,
    "subset": subset,
    "subset-cards": subset_cards,
    "subset-together": subset_together,
}

FOUND = {
    "tests on a card that failed": 3,
    "ta021-ta030, optimum given: s in all": 0.28,
    "of these, counts that are wrong": 1,
    "ta056 from scratch: s": 64.0,
    "ta056, four cards: times one": 4.0,
    "20 queens, four cards: times one": 4.0,
    "exact, 40k: rows in the table": 4,
    "latest call of the curve: ms late": 1.5,
    "latest answer to a deadline of 3 to 100 ms: ms late": 4.5,
    "items, n = 100,000: times the value": 1.09,
    "n = 100,000, four cards, tied: times one": 1.0,
    "samples solved on the card": 60,
    "two lists, n = 60: of the floor's time": 0.29,
    "four lists, n = 80: s": 0.0123,
    "four lists, n = 76, four cards: times one": 4.0,
    "GPU and cores: of the time with the best set share": 1.0,
    "GPU and cores: of the GPU's time alone": 1.0,
}


UNREAD = {"pictures", "ways-dense-cards", "lsap-sets"}
"""Topics of which nothing is asked for."""


@pytest.fixture
def texts(monkeypatch, capsys):
    """Return what the benchmarks print, by topic."""
    found = {}
    for name, show in PRINTED.items():
        with monkeypatch.context() as patch:
            show(patch)
        found[name] = capsys.readouterr().out
    return found


def test_every_figure_is_found_in_what_the_benchmarks_print(texts):
    """A benchmark that prints differently must be read differently: nobody would notice else."""
    from benchmarks.cards.figures import WANTED

    judged = {w.says: w.judge(texts) for w in WANTED}
    assert len(judged) == len(WANTED)
    assert [says for says, figure in judged.items() if figure["measured"] is None] == []
    for says, value in FOUND.items():
        assert judged[says]["measured"] == pytest.approx(value), says


def test_every_topic_is_read_and_every_figure_has_its_topic(texts, tmp_path):
    """Without a topic's log exactly its figures are missing, so none is taken from another's."""
    from benchmarks.cards.figures import WANTED
    from benchmarks.cards.topics import Places, topics

    names = {topic.name for topic in topics(Places(tmp_path, tmp_path, tmp_path, 4, 60))}
    assert names == {*texts, *UNREAD}
    for name in texts:
        rest = {topic: text for topic, text in texts.items() if topic != name}
        assert any(wanted.judge(rest)["measured"] is None for wanted in WANTED), name


def test_a_log_that_was_cut_short_has_what_it_has(texts):
    """Figures that were printed before the end are found, the others said to be missing."""
    from benchmarks.cards.figures import WANTED

    cut = {"subset": texts["subset"].split("n=72")[0]}
    judged = {w.says: w.judge(cut) for w in WANTED}
    assert judged["four lists, n = 68: s"]["verdict"] == "ok"
    assert judged["four lists, n = 80: s"]["verdict"] == "not run"
    assert all(w.judge({})["verdict"] == "not run" for w in WANTED)


@pytest.mark.parametrize(
    ("target", "measured", "verdict"),
    [("<2", 2.0, "ok"), ("<2", 2.01, "SHORT"), (">3.8", 3.8, "ok"), (">3.8", 3.69, "SHORT")],
)
def test_a_figure_is_judged_by_its_target(target, measured, verdict):
    """At most, or at least; at the target it is reached."""
    from benchmarks.cards.figures import Wanted

    assert Wanted(3, "it", target, lambda _: measured).judge({})["verdict"] == verdict
