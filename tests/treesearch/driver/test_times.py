"""What a search says of its time leaves compiling out, as the runtime does."""

from __future__ import annotations

from time import sleep

from prunus import read, solve
from prunus.hardware import clock
from prunus.treesearch.interval.cpu.explorer import CoreExplorer


def test_what_is_compiled_is_in_no_figure(monkeypatch):
    """Neither in the time of the search, whence nodes a second, nor in the trace."""
    explore, pauses = CoreExplorer.explore, [0.2]

    def compiling(self, *arguments):
        if pauses:
            with clock.paused():
                sleep(pauses.pop())
        return explore(self, *arguments)

    monkeypatch.setattr(CoreExplorer, "explore", compiling)
    instance = read("taillard:8:4:1")
    result = solve(instance, devices="cpu:1", first_incumbent="none")
    assert result.statistics["compile_time"] >= 0.2
    assert result.statistics["search_time"] <= result.runtime
    assert result.trace.time[-1] <= result.runtime
