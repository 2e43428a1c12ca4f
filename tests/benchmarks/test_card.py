"""Running topics on cards: what fails or takes too long loses nothing else; all is written down."""

from __future__ import annotations

import argparse
import importlib
import json
import signal
import subprocess
import sys
import tarfile
import threading
import time
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "card.py"


def topic(name, code, seconds=5.0, **options):
    """Return a topic that runs a line of Python."""
    from benchmarks.cards.run import Topic

    return Topic(name, ((sys.executable, "-c", code),), seconds, **options)


@pytest.fixture
def run(tmp_path):
    """Return a function that runs topics and returns what became of each, and its log."""

    def run(topics, cards=("0", "1"), budget=60.0):
        from benchmarks.cards.run import Runner

        runner = Runner(topics, cards, budget, tmp_path, tmp_path)
        runner.run()
        logs = {path.stem: path.read_text() for path in tmp_path.glob("*.log")}
        return {o.topic.name: o for o in runner.outcomes}, logs

    return run


def test_a_topic_that_fails_loses_only_itself(run):
    """Those before and after it end well, and its log says what it said."""
    topics = [
        topic("a", "print('fine')"),
        topic("b", "print('before'); raise SystemExit(3)"),
        topic("c", "print('fine too')"),
    ]
    found, logs = run(topics)
    assert {name: o.state for name, o in found.items()} == {
        "a": "ended",
        "b": "failed",
        "c": "ended",
    }
    assert found["b"].code == 3
    assert "before" in logs["b"]


def test_a_command_that_does_not_exist_is_a_failure(run):
    """And not the end of the run, nor of its topic: what comes behind it is still run."""
    from benchmarks.cards.run import Topic

    behind = (sys.executable, "-c", "print('behind')")
    found, logs = run([Topic("a", (("/there/is/none",), behind), 1.0), topic("b", "pass")])
    assert (found["a"].state, found["b"].state) == ("failed", "ended")
    assert logs["a"].endswith("behind\n")


def test_what_takes_too_long_is_ended(run, monkeypatch):
    """The next one has its turn."""
    from benchmarks.cards.run import Topic

    monkeypatch.setattr(Topic, "limit", 0.3)
    found, _ = run([topic("a", "import time; time.sleep(600)"), topic("b", "pass")], cards="0")
    assert found["a"].state == "too slow"
    assert found["b"].began > found["a"].began


def test_nothing_is_left_of_what_is_ended(tmp_path):
    """A topic that is stopped takes along all that it has started; what it had said is kept."""
    from benchmarks.cards.run import Runner

    told = tmp_path / "told"
    parent = (
        "import pathlib, subprocess, sys, time; print('begun', flush=True)\n"
        "p = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"pathlib.Path({str(told)!r}).write_text(str(p.pid) + '.')\n"
        "time.sleep(600)"
    )
    runner = Runner([topic("a", parent), topic("b", "pass")], ["0"], 60.0, tmp_path, tmp_path)
    thread = threading.Thread(target=runner.run)
    thread.start()
    wait_for(lambda: told.exists() and told.read_text().endswith("."))
    runner.stop()
    thread.join()
    wait_for(lambda: not is_alive(int(told.read_text()[:-1])))
    assert "begun" in (tmp_path / "a.log").read_text()
    assert [outcome.state for outcome in runner.outcomes] == ["failed", "not run"]


def wait_for(condition, seconds=30.0):
    """Wait until something is so, for half a minute at most."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def is_alive(process):
    """Tell whether a process is there, and more than a name that nobody has asked for."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_what_there_is_no_time_or_no_card_for_is_not_run(run):
    """It is said why; a quick topic behind a long one still runs."""
    topics = [
        topic("long", "pass", 100.0),
        topic("quick", "pass", 1.0),
        topic("many", "pass", 1.0, cards=4),
        topic("both", "pass", 1.0, cards=2),
    ]
    found, _ = run(topics, budget=20.0)
    assert {name: o.state for name, o in found.items()} == {
        "long": "not run",
        "quick": "ended",
        "many": "not run",
        "both": "ended",
    }
    assert "100 s expected" in found["long"].why
    assert found["many"].why == "needs 4 cards"


def test_time_is_kept_for_what_comes_last(run):
    """Topics that run side by side leave to those that need several cards what these expect."""
    found, _ = run([topic("one", "pass", 12.0), topic("two", "pass", 10.0, cards=2)], budget=20.0)
    assert (found["one"].state, found["two"].state) == ("not run", "ended")


WAIT = (
    "import os, pathlib, time; d = os.environ['CUDA_VISIBLE_DEVICES'];"
    "pathlib.Path({mine!r}).touch(); t = time.time()\n"
    "while not pathlib.Path({other!r}).exists() and time.time() - t < 20: time.sleep(.01)\n"
    "print('card', d, pathlib.Path({other!r}).exists())"
)


def test_topics_of_one_card_run_side_by_side(run, tmp_path):
    """Two that wait for one another both end, each with a card of its own."""
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    topics = [
        topic("a", WAIT.format(mine=one, other=two)),
        topic("b", WAIT.format(mine=two, other=one)),
    ]
    _, logs = run(topics)
    assert {logs[name].split("\n")[-2] for name in "ab"} == {"card 0 True", "card 1 True"}


def test_topics_that_need_all_run_behind_one_by_one_and_the_first_before(run):
    """No two of them overlap, nor do they overlap with others; each sees the cards it needs."""
    show = "import os; print(os.environ['CUDA_VISIBLE_DEVICES'])"
    topics = [
        topic("two", show, cards=2),
        topic("one", show),
        topic("alone", show, alone=True),
        topic("tests", show, first=True),
    ]
    found, logs = run(topics)
    order = sorted(found.values(), key=lambda o: o.began)
    assert [o.topic.name for o in order] == ["tests", "one", "two", "alone"]
    assert logs["tests"].endswith("0,1\n")
    assert logs["two"].endswith("0,1\n")
    assert logs["alone"].endswith("\n0\n")


def test_everything_is_kept_in_three_files(tmp_path, capsys):
    """Results, the summary with the table last, and all logs, with what was measured found."""
    from benchmarks import card

    shops = topic("shops", "print('total                    0.2800 s  floor 1.55 s')")
    bad = topic("queens", "raise ValueError('that is what went wrong')")
    words = ["--cards", "0", "--out", str(tmp_path / "out"), "--budget", "60"]
    handler = signal.getsignal(signal.SIGINT)
    assert card.main(words, [shops, bad]) == 1
    assert signal.getsignal(signal.SIGINT) is handler
    out = tmp_path / "out"
    assert {p.name for p in out.iterdir()} == {"results.json", "summary.txt", "logs.tar.gz"}
    results = json.loads((out / "results.json").read_text())
    assert [t["state"] for t in results["topics"]] == ["ended", "failed"]
    total = next(f for f in results["figures"] if f["says"].startswith("ta021-ta030"))
    assert (total["measured"], total["verdict"]) == (0.28, "ok")
    with tarfile.open(out / "logs.tar.gz") as archive:
        assert {"logs/shops.log", "logs/queens.log"} <= set(archive.getnames())
    said = capsys.readouterr().out
    assert "that is what went wrong" in said
    assert said.rstrip().splitlines()[-1].endswith("not run")


def test_a_dry_run_lists_all_topics_and_runs_none(tmp_path, capsys):
    """With what each should take, on any number of cards, with and without prototypes."""
    from benchmarks import card

    (tmp_path / "floors").mkdir()
    for words in (["--cards", "0,1,2,3", "--floors", str(tmp_path / "floors")], ["--cards", "0"]):
        assert card.main(["--dry", *words]) == 0
        said = capsys.readouterr().out
        assert "tests " in said
        assert ("--floor " in said) == ("--floors" in words)
        assert " on " in said.splitlines()[-1]


def test_topics_are_chosen_by_name():
    """Some only, or all but some; a name that is none is refused with those there are."""
    from benchmarks import card

    some = [topic(name, "pass") for name in "abc"] + [topic("rare", "pass", asked=True)]
    assert [t.name for t in card.chosen(some, "a,c", "")] == ["a", "c"]
    assert [t.name for t in card.chosen(some, "", "b")] == ["a", "c"]
    assert [t.name for t in card.chosen(some, "rare", "")] == ["rare"]
    with pytest.raises(SystemExit, match="no topic d; there are a, b, c"):
        card.chosen(some, "d", "")


class ParsedError(Exception):
    """A command line was understood."""


def test_every_topic_is_a_command_line_that_its_script_understands(tmp_path, monkeypatch):
    """On any number of cards; no topic names a script, or an option, that is not there."""
    from benchmarks.cards.topics import Places, topics

    parse = argparse.ArgumentParser.parse_args

    def parsed(parser, *words):
        parse(parser, *words)
        raise ParsedError

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parsed)
    for cards in (1, 2, 4):
        everything = topics(Places(tmp_path, tmp_path, tmp_path, cards, 60))
        assert len({one.name for one in everything}) == len(everything)
        for command in (command for one in everything for command in one.commands):
            if command[:2] == (sys.executable, "-m") and command[2] != "pytest":
                monkeypatch.setattr(sys, "argv", list(command[2:]))
                with pytest.raises(ParsedError):
                    importlib.import_module(command[2]).main()


@pytest.mark.parametrize(
    ("cards", "worker", "seen"),
    [("0,1,2", "gw4", "1,2,0"), ("3", "gw7", "3"), ("0,1", None, "0,1"), (None, "gw1", None)],
)
def test_processes_of_the_tests_take_cards_in_turn(monkeypatch, cards, worker, seen):
    """Each sees all, beginning with another one; nothing is hidden where nothing was named."""
    import os
    import runpy

    for name, value in (("CUDA_VISIBLE_DEVICES", cards), ("PYTEST_XDIST_WORKER", worker)):
        monkeypatch.setenv(name, value or "")
        if value is None:
            monkeypatch.delenv(name)
    runpy.run_module("benchmarks.cards.spread")
    assert os.environ.get("CUDA_VISIBLE_DEVICES") == seen


def test_what_would_run_is_listed_without_the_library():
    """By a script in a source tree that nobody has installed, without what the library needs."""
    code = f"""
import runpy, sys
sys.modules["prunus"] = sys.modules["numpy"] = None
sys.argv = ["card.py", "--dry", "--cards", "0,1"]
runpy.run_path({str(SCRIPT)!r}, run_name="__main__")
"""
    command = [sys.executable, "-I", "-c", code]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "benchmarks.queens --no-cpu" in told
    assert "on 2 card(s)" in told
