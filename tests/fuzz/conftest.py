"""How long fuzzers go on, and how much memory they may take."""

from __future__ import annotations

import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import is_hypothesis_test

from tests.fuzz.fuzzing import CASES, MOST_BYTES

collect_ignore = [] if find_spec("zmq") else ["test_messages.py"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Give fuzzers that go on for long the time for it."""
    seconds = config.getoption("--fuzz-seconds")
    for item in items:
        if seconds and Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.timeout(seconds + 600))


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run a fuzzer again and again, each time with other random cases, until its time is over."""
    seconds = pyfuncitem.config.getoption("--fuzz-seconds")
    if not (seconds and is_hypothesis_test(pyfuncitem.obj)):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    deadline = time.monotonic() + seconds
    while True:
        pyfuncitem.obj(**{name: pyfuncitem.funcargs[name] for name in names})
        if time.monotonic() >= deadline:
            return True


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many cases there were of each kind, where that was asked for."""
    if terminalreporter.config.getoption("--fuzz-seconds") and CASES:
        terminalreporter.section("cases")
        for kind, count in sorted(CASES.items()):
            terminalreporter.line(f"{count:9,} {kind}")


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for the files of all cases of a session."""
    return tmp_path_factory.mktemp("fuzz")


@pytest.fixture(autouse=True)
def little_memory() -> Iterator[None]:
    """Have what allocates without bounds fail at once, where the system can do that."""
    try:
        import resource

        held = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    except (ImportError, OSError):
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (held + MOST_BYTES, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)
