"""The live display shows what a search says, keeps off stdout, and leaves the terminal in order."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.console import Console

from prunus.assignment.problem import Assignment
from prunus.flowshop.problem import FlowShop
from prunus.hardware import clock
from prunus.knapsack.problem import Knapsack
from prunus.nqueens.problem import NQueens
from prunus.runtime.interrupts import Interrupts
from prunus.runtime.progress import Progress
from prunus.subsetsum.problem import SubsetSum
from prunus.view.display import Display
from prunus.view.live import live
from prunus.view.panel import render

SHOP = FlowShop([[1] * 20] * 20, name="ta030")
MOMENT = Progress(
    elapsed=3.2,
    objective=2178,
    bound=2100,
    explored=0.375,
    nodes=173_314_864_804,
    rate=3.31e9,
    active=13056,
    explorers=16896,
    remaining=4000.0,
    phase="tree search",
)


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def drawn(progress: Progress, problem: object, width: int = 80) -> str:
    size = {"width": width, "height": 50}  # both, or a "dumb" terminal would have 80 columns
    console = Console(file=io.StringIO(), force_terminal=True, color_system=None, **size)
    with console.capture() as capture:
        console.print(render(progress, problem))
    return capture.get()


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    monkeypatch.setenv("TERM", "xterm-256color")
    return Terminal()


def test_gap_of_a_progress() -> None:
    """The gap is relative, and unknown until there is an incumbent and a bound."""
    assert Progress(objective=100, bound=80).gap == 0.2
    assert Progress(objective=100).gap is None
    assert Progress(bound=80).gap is None


def test_all_facts_are_shown_in_80_columns() -> None:
    """Every figure of a large search on a GPU is there in full, in 80 columns."""
    panel = drawn(MOMENT, SHOP)
    for fact in (
        "ta030 – FlowShop, 20 jobs × 20 machines",
        "tree search",
        "3 s",
        "makespan 2178",
        "lower bound 2100",
        "3.58 %",
        "37.50 %",
        "~1 h 06 min left",
        "173,314,864,804",
        "3.31 G/s",
        "busy 77 %",
    ):
        assert fact in panel
    # The last columns stay free for the echo of ^C.
    assert max(len(line) for line in panel.splitlines()) <= 77
    # Before anything searches there is no share of it that has work.
    assert "busy" not in drawn(replace(MOMENT, explorers=0, active=0), SHOP)


def test_counting_shows_the_count_and_no_bound() -> None:
    """A count reads as a count."""
    panel = drawn(Progress(objective=14_772_512, explored=0.5, phase="bitmask search"), NQueens(16))
    assert "solutions 14,772,512" in panel
    assert "found so far" in panel
    assert "bound" not in panel
    assert "gap" not in panel


def test_a_narrow_terminal_has_every_figure() -> None:
    """In 40 columns the facts stand one below the other, and none is cut off."""
    panel = drawn(MOMENT, SHOP, width=40)
    for fact in (
        "makespan    2178",
        "lower bound 2100",
        "3.58 %",
        "173,314,864,804",
        "busy        77 %",
    ):
        assert fact in panel
    assert max(len(line) for line in panel.splitlines()) <= 37
    count = drawn(Progress(objective=14_772_512), NQueens(16), width=40)
    assert "solutions 14,772,512" in count


@pytest.mark.parametrize("width", [80, 200])
def test_long_numbers_are_not_cut_off(width: int) -> None:
    """Sums of 80 bits and more do not fit side by side: they stand one below the other."""
    problem = SubsetSum([2**80, 2**79], 2**80 + 5, objective="closest")
    sums = Progress(objective=2**80 + 2**79, bound=2**80 + 5, explorers=2, active=2)
    panel = drawn(sums, problem, width=width)
    assert f"sum         {2**80 + 2**79} " in panel
    assert f"upper bound {2**80 + 5} " in panel
    assert "…" not in panel


def test_a_table_has_no_nodes() -> None:
    """Dense dynamic programming branches nothing; the expanding core does."""
    problem = Knapsack([60, 100], [10, 20], 25)
    dense = Progress(objective=100, bound=160, explorers=2, active=2, phase="dense")
    assert "nodes" not in drawn(dense, problem)
    assert "busy 100 %" in " ".join(drawn(dense, problem).split())
    assert "nodes 5" in " ".join(drawn(replace(dense, nodes=5), problem).split())


def test_the_bound_is_on_its_side() -> None:
    """What is maximised has an upper bound."""
    problem = Knapsack([60, 100], [10, 20], 25)
    assert "upper bound 160" in drawn(Progress(objective=100, bound=160), problem)


@pytest.mark.parametrize("width", [40, 80])
def test_figures_that_a_problem_has_not_are_not_shown(width: int) -> None:
    """No nodes where none are branched, no bound where a sum is sought, no part of no space."""
    lists = Progress(explored=0.25, active=4, explorers=4, phase="four lists")
    panel = drawn(lists, SubsetSum([1, 2, 4], 5), width=width)
    assert "25.00 %" in panel
    assert "busy" in panel
    for word in ("nodes", "speed", "bound", "gap", "getting ready"):
        assert word not in panel
    panel = drawn(Progress(objective=7, bound=6), Assignment([[1]]), width=width)
    assert "lower bound 6" in panel
    for word in ("nodes", "speed", "busy", "0 %\n"):
        assert word not in panel


def test_a_wide_range_is_shown_as_one() -> None:
    """What may take twice as long is told from the least to the most, unless the limit is first."""
    for (least, most), words in {
        (3900.0, 4100.0): "~1 h 06 min left",
        (2000.0, 6000.0): "33 to 100 min left",
        (5.0, 20.4): "5 to 20 s left",
        (0.0, 300.0): "up to 5 min left",
        (90_000.0, 1e12): "over 1 d 1 h left",
    }.items():
        assert words in drawn(replace(MOMENT, remaining_range=(least, most)), SHOP)
    limited = replace(MOMENT, time_limit=60.0, remaining=60.0, remaining_range=(30.0, 90.0))
    assert "1 min 00 s to the limit" in drawn(limited, SHOP)


def test_the_limit_is_shown() -> None:
    """A solve with a time limit says how much of it has passed; one without says no limit."""
    panel = drawn(replace(MOMENT, time_limit=63.2, remaining=60.0), SHOP)
    assert "3 s of 1 min 03 s" in panel
    assert "1 min 00 s to the limit" in panel
    assert "~1 min 00 s left" in drawn(replace(MOMENT, time_limit=70.0, remaining=60.0), SHOP)
    assert " of 1 min" not in drawn(MOMENT, SHOP)


@pytest.mark.parametrize("width", [30, 40, 60, 80])
def test_what_is_cut_ends_in_an_ellipsis(width: int) -> None:
    """A title or a phase without room is cut with an ellipsis, in the border, too."""
    shop = FlowShop([[1, 2]] * 3, name="the shop of " + "quite a long name " * 5)
    panel = drawn(replace(MOMENT, phase="searching below a value of 2178" * 3), shop, width)
    top, phase, *_ = panel.splitlines()
    assert top.endswith(("…─╮", "… ─╮"))
    assert "… 3 s" in phase
    bottom = drawn(MOMENT, SHOP, width).splitlines()[-1]
    assert bottom.endswith(("…─╯", "… ─╯", "keeps the best ─╯"))


def test_a_search_that_has_nothing_yet() -> None:
    """Missing figures are called missing."""
    panel = drawn(Progress(phase="starting"), SHOP)
    assert "none yet" in panel
    assert "unknown" in panel


def test_waiting_is_told() -> None:
    """Explorers without a node are said to get ready; a search under way is not."""
    waiting = Progress(phase="tree search", explorers=2)
    assert "getting ready" in drawn(waiting, SHOP)
    assert "getting ready" not in drawn(MOMENT, SHOP)


def test_stopping_is_told(terminal: Terminal) -> None:
    """After Ctrl-C the panel says that it was heard, and what is still waited for."""
    with Display(SHOP, stream=terminal) as show, Interrupts() as interrupts:
        show(MOMENT)
        assert "Ctrl-C stops" in terminal.getvalue()
        assert "stopping" not in terminal.getvalue()
        interrupts.requested = True
        show(MOMENT)
        assert " stopping " in terminal.getvalue()
    compiling = Console(width=80)
    with compiling.capture() as capture:
        compiling.print(render(MOMENT, SHOP, compiling=3.0, stopping=True))
    assert "stopping after this is compiled" in capture.get()


def test_compiling_is_told(terminal: Terminal) -> None:
    """While something is compiled the panel says so and goes on, and not a moment longer."""
    display = Display(SHOP, stream=terminal)
    with display as show:
        show(replace(MOMENT, elapsed=41.4))
        before = len(terminal.getvalue())
        with clock.paused():
            for seconds in ("0 s", "1 s"):
                wait_for(lambda words=seconds: f"once: {words}" in terminal.getvalue()[before:])
            assert "42 s" not in terminal.getvalue()
        wait_for(lambda: display._keeper is None)
        before = len(terminal.getvalue())
        show(MOMENT)
        assert "compiling" not in terminal.getvalue()[before:]
    before = len(terminal.getvalue())
    with clock.paused():
        time.sleep(0.6)
    assert len(terminal.getvalue()) == before


def test_what_is_loaded_at_once_is_not_told(terminal: Terminal) -> None:
    """Every process loads what is compiled, in no time."""
    with live(SHOP, stream=terminal) as show:
        with clock.paused():
            show(MOMENT)
        time.sleep(0.6)
    assert "compiling" not in terminal.getvalue()


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait until something is so, or for half a minute."""
    for _ in range(1500):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError


@pytest.mark.parametrize("width", [20, 40, 60, 200])
def test_other_widths(width: int) -> None:
    """A narrow terminal cuts the panel, a wide one does not stretch it; nothing fails."""
    lines = drawn(MOMENT, SHOP, width).splitlines()
    assert max(len(line) for line in lines) <= min(width, 80)


def test_live_draws_and_cleans_up(terminal: Terminal) -> None:
    """The panel is drawn with the cursor hidden, and the cursor comes back."""
    with live(SHOP, stream=terminal) as show:
        show(MOMENT)
    output = terminal.getvalue()
    assert "2178" in output
    assert output.rindex("\x1b[?25h") > output.rindex("\x1b[?25l")


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
def test_live_restores_the_terminal_after_an_exception(
    terminal: Terminal, error: type[BaseException]
) -> None:
    """Whatever ends the search, the cursor comes back and the streams are the old ones."""
    before = sys.stdout, sys.stderr

    def search() -> None:
        with live(SHOP, stream=terminal) as show:
            show(MOMENT)
            raise error

    with pytest.raises(error):
        search()
    output = terminal.getvalue()
    assert output.rindex("\x1b[?25h") > output.rindex("\x1b[?25l")
    assert (sys.stdout, sys.stderr) == before


def test_live_is_quiet_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Into a file or a pipe nothing is drawn, even where the environment forces colour."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    stream = io.StringIO()
    with live(SHOP, stream=stream) as show:
        show(MOMENT)
    assert stream.getvalue() == ""


def test_a_dumb_terminal_is_left_alone(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that cannot move its cursor gets no panel."""
    monkeypatch.setenv("TERM", "dumb")
    assert not Display(SHOP, stream=terminal).visible


def test_live_draws_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a stream it is standard error that is asked, and standard output stays empty."""
    assert Display(SHOP)._stream is sys.stderr
    with live(SHOP) as show:
        show(MOMENT)
    assert capsys.readouterr().out == ""
