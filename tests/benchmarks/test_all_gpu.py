"""The script that runs all that wants a GPU: its topics are command lines that exist."""

from __future__ import annotations

import argparse
import importlib
import sys

import pytest

from benchmarks import all_gpu
from benchmarks.all_gpu import Topic, chosen, run, topics


class ParsedError(Exception):
    """A command line was understood."""


def test_every_topic_is_a_command_line_that_its_script_understands(tmp_path, monkeypatch):
    """No topic names a script, or an option, that is not there."""
    parse = argparse.ArgumentParser.parse_args

    def parsed(parser, *words):
        parse(parser, *words)
        raise ParsedError

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parsed)
    for everything in (topics(), topics(tmp_path)):
        assert len({topic.name for topic in everything}) == len(everything)
        for topic in everything:
            if topic.module != "pytest":
                monkeypatch.setattr(sys, "argv", [topic.module, *topic.words.split()])
                with pytest.raises(ParsedError):
                    importlib.import_module(topic.module).main()


def test_topics_are_chosen_by_name_and_by_what_there_is():
    """The rare ones only by name; a name that is not there is refused with those that are."""
    some = [Topic("a", "m", "", 1), Topic("b", "m", "", 1, 2), Topic("c", "m", "", 1, usual=False)]
    assert [topic.name for topic in chosen(some, "", 1)] == ["a"]
    assert [topic.name for topic in chosen(some, "", 2)] == ["a", "b"]
    assert [topic.name for topic in chosen(some, "c", 1)] == ["c"]
    with pytest.raises(SystemExit, match="no topic d; there are a, b, c"):
        chosen(some, "d", 1)


def test_topics_run_and_what_fails_is_told(capfd, monkeypatch):
    """What a topic prints comes out as it is; one that is too slow is ended."""
    assert run(Topic("good", "this", "", 60)).endswith("  ended")
    assert "Beautiful is better" in capfd.readouterr().out
    assert "FAILED (1)" in run(Topic("bad", "no_such_module", "", 60))
    assert "TOO SLOW" in run(Topic("slow", "timeit", "-n 1 import_time", 0.0))
    monkeypatch.setattr(all_gpu, "topics", lambda *_: [Topic("good", "this", "", 60)])
    assert all_gpu.main([]) == 0
    assert "good" in capfd.readouterr().out
