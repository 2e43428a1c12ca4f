"""Tree search over an executor: the same answers and counts as on one machine, whatever happens."""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import threading
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import prunus
from prunus import DeviceError, FlowShop, InputError, NQueens, Status
from prunus.runtime.checkpoint import read_checkpoint, writer
from prunus.runtime.incumbent import Incumbent
from prunus.stop import MaxNodes
from prunus.treesearch.distributed import worker
from prunus.treesearch.distributed.messages import MessageKind
from prunus.treesearch.distributed.messaging import connect_to
from prunus.treesearch.distributed.unit_channel import UnitChannel
from prunus.treesearch.interval.interval import leaves
from prunus.treesearch.interval.saved_intervals import intervals_of
from tests.flaky import Flaky
from tests.kill import KILL
from tests.reading import read


@pytest.fixture(scope="module")
def pool():
    """Return two worker processes."""
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as executor:
        yield executor


@pytest.fixture
def threads():
    """Return two workers in this process."""
    with ThreadPoolExecutor(2) as executor:
        yield executor


def test_a_process_pool_counts_queens(pool) -> None:
    """Twelve queens on two processes, on no more cores than they may use.

    Which of them has how many depends on who was there first; ``test_share`` has the rule.
    """
    result = prunus.solve(NQueens(12), executor=pool, symmetry="none", devices="cpu:2")
    alone = prunus.solve(NQueens(12), devices="cpu:1", symmetry="none")
    assert (result.status, result.objective) == (Status.OPTIMAL, 14200)
    assert (result.nodes, result.explored) == (alone.nodes, 1.0)
    assert result.devices == ("ProcessPoolExecutor:2",)
    assert all(set(w["devices"]) <= {"cpu:0", "cpu:1"} for w in result.statistics["workers"])
    assert sum(w["nodes"] for w in result.statistics["workers"]) > 0


def test_a_process_pool_branches_the_same_nodes(pool) -> None:
    """ta030 with its optimum given."""
    result = prunus.solve(read("ta030"), executor=pool, upper_bound=2178, devices="cpu")
    assert (result.status, result.nodes) == (Status.INFEASIBLE, 2_415_779)
    assert (result.explored, result.bound) == (1.0, 2178)


def test_what_one_unit_finds_others_hear_of(threads, tune) -> None:
    """While they are explored: each here waits until it has heard of what it said was found."""
    pytest.importorskip("zmq")
    tune(overdue_s=math.inf)
    shop = FlowShop(read("ta001").processing_times[:8])
    best = prunus.solve(shop, devices="cpu:1")
    heard = []

    def tell_first(part):
        mine, told = Incumbent(part.cutoff), threading.Event()
        mine.watch(lambda: told.set() if mine.cutoff == best.objective else None)
        with (
            UnitChannel(connect_to(part.address), part.ticket) as channel,
            channel.attached(mine, lambda: None),
        ):
            channel.send(MessageKind.FOUND, best.objective, best.solution)
            heard.append(told.wait(60))
        return worker.explore(part)

    class Talkative(Flaky):
        def submit(self, function, /, *args, **kwargs):
            return threads.submit(tell_first if function is worker.explore else function, *args)

    executor = Talkative(0, 0.0)
    above = best.objective + 300
    result = prunus.solve(shop, executor=executor, upper_bound=above, first_incumbent="none")
    assert (result.status, result.objective) == (Status.OPTIMAL, best.objective)
    assert heard
    assert all(heard)


@pytest.mark.parametrize("fail", [0.0, 0.4])
def test_lost_and_repeated_units_change_nothing(fail) -> None:
    """Counts are exact on an executor that does units twice and fails two in five."""
    executor = Flaky(1, fail)
    result = prunus.solve(NQueens(10), executor=executor, symmetry="none", devices="cpu:1")
    assert (result.objective, result.nodes) == (724, 35_538)
    assert (result.statistics["work_units_lost"] > 0) == (fail > 0)
    result = prunus.solve(read("ta030"), executor=executor, upper_bound=2178, devices="cpu:1")
    assert (result.status, result.nodes) == (Status.INFEASIBLE, 2_415_779)


@pytest.mark.parametrize("proof", ["direct", "climb"])
def test_optima_are_found_and_travel(threads, proof) -> None:
    """A flow shop and a tour without a first incumbent: optimal, as on one machine."""
    shop = FlowShop(read("ta001").processing_times[:9])
    for problem in (shop, read("tsmat:9:1")):
        options = {"proof": proof, "devices": "cpu"}
        if problem is not shop:
            options["method"] = "interval"
        alone = prunus.solve(problem, **options)
        above = alone.objective + 300
        result = prunus.solve(problem, executor=threads, upper_bound=above, **options)
        assert (result.status, result.objective) == (Status.OPTIMAL, alone.objective)
        assert problem.evaluate(result.solution) == result.objective
        assert ("targets" in result.statistics) == (proof == "climb")


def test_a_run_goes_on_elsewhere(threads, pool, tmp_path) -> None:
    """From threads to this machine to processes, by one checkpoint; nodes are exact."""
    path = tmp_path / "run.ckpt"
    shop = read("ta030")
    places = [{"executor": pool}, {"devices": "cpu:2"}, {"executor": threads}]
    result = prunus.solve(
        shop, upper_bound=2178, executor=threads, stop=MaxNodes(200_000), checkpoint=path
    )
    for i in range(50):
        if result.stopped_by is None:
            break
        saved = read_checkpoint(str(path))
        left = sum(intervals_of(saved.open_work).measure(range(20, 0, -1)))
        assert saved.explored + left == math.factorial(20)
        result = prunus.resume(path, stop=MaxNodes(result.nodes + 400_000), **places[i % 3])
    assert (result.status, result.nodes, result.explored) == (Status.INFEASIBLE, 2_415_779, 1.0)


def test_time_limits_lose_nothing(threads, tmp_path) -> None:
    """Slices end with the limit and are handed in, so that many short runs come to the end."""
    path = tmp_path / "run.ckpt"
    options = {"executor": threads, "time_limit": 0.1}
    result = prunus.solve(NQueens(14), symmetry="mirror", checkpoint=path, **options)
    for _ in range(5):
        assert result.stopped_by in ("time limit", None)  # how far it comes is the machine's affair
        result = prunus.resume(path, **options)
    result = prunus.resume(path, executor=threads)
    assert (result.objective, result.nodes) == (365_596, 27_358_552)


def test_checkpoints_are_whole_while_units_are_out(threads, tmp_path, monkeypatch) -> None:
    """What is out with workers is still open in them."""
    monkeypatch.setattr(writer, "REST_PER_HELD_UP", 0)
    path = tmp_path / "run.ckpt"
    seen = []

    def look(progress):
        if path.exists():
            saved = read_checkpoint(str(path))
            seen.append(
                saved.explored + sum(intervals_of(saved.open_work).measure(range(50, 0, -1)))
            )
        return len(seen) >= 4

    prunus.solve(
        read("ta051"),
        executor=threads,
        first_incumbent="neh",
        stop=look,
        checkpoint=path,
        checkpoint_every=0.02,
    )
    assert set(seen) == {leaves(range(50, 0, -1))}


class Doomed(ProcessPoolExecutor):
    """A process that is killed when it is given its sixth call."""

    def __init__(self) -> None:
        super().__init__(1, multiprocessing.get_context("spawn"))
        self.calls = 0

    def submit(self, function, /, *args, **kwargs):
        """Hand a call on; the sixth comes too late."""
        self.calls += 1
        if self.calls == 6:
            os.kill(next(iter(self._processes)), KILL)
        return super().submit(function, *args, **kwargs)


def test_a_killed_worker_leaves_what_can_be_gone_on_with(tmp_path, tune) -> None:
    """A broken pool ends the search in a sentence; the checkpoint goes on, and the count is exact.

    With a function that makes pools, a new one goes on at once.
    """
    # dozens of units, however fast the machine is
    tune(
        shortest_unit_s=0.005,
        least_cost_ratio=1.0,
        usual_cost_ratio=1.0,
        coordinator_share=1e9,
    )
    path = tmp_path / "run.ckpt"
    pools = []

    def make():
        whole = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"))
        pools.append(whole if pools else Doomed())
        return pools[-1]

    options = {"upper_bound": 2178, "devices": "cpu:1"}
    result = prunus.solve(read("ta030"), executor=make, **options)
    assert (result.status, result.nodes) == (Status.INFEASIBLE, 2_415_779)
    assert len(pools) == 2
    doomed = Doomed()
    stopped = prunus.solve(read("ta030"), executor=doomed, checkpoint=path, **options)
    assert stopped.status is Status.UNKNOWN
    assert stopped.stopped_by.startswith("a broken executor (Doomed takes no more")
    assert 0 < stopped.nodes < 2_415_779
    with pytest.raises(DeviceError, match="no worker can search; Doomed takes no"):
        prunus.resume(path, executor=doomed)
    assert prunus.resume(path, devices="cpu:2").nodes == 2_415_779


def test_nobody_listens_after_a_solve(threads) -> None:
    """The coordinator's port is closed, and its threads have ended."""
    prunus.solve(NQueens(8), executor=threads)
    lines = [thread for thread in threading.enumerate() if thread.name == "prunus-messages"]
    for thread in lines:
        thread.join(60)
    assert not any(thread.is_alive() for thread in lines)


def test_waiting_for_workers_can_be_stopped() -> None:
    """A cluster without workers is waited for, within the time limit."""

    class Nobody(Flaky):
        def submit(self, function, /, *args, **kwargs):
            return Future()

    phases = []
    result = prunus.solve(
        NQueens(10),
        executor=Nobody(0, 0.0),
        time_limit=0.3,
        stop=lambda progress: phases.append(progress.phase),
    )
    assert (result.status, result.stopped_by) == (Status.FEASIBLE, "time limit")
    assert "waiting for workers" in phases


def test_bad_use_is_refused(threads) -> None:
    """In a sentence, before anything is searched."""
    with pytest.raises(InputError, match="is not an executor"):
        prunus.solve(NQueens(8), executor="pool")
    with pytest.raises(InputError, match="Knapsack is solved by one process"):
        prunus.solve(prunus.Knapsack([1, 2], [1, 2], 2), executor=threads)
    with pytest.raises(InputError, match="not a device"):
        prunus.solve(NQueens(8), executor=threads, devices="gpu")


class Remembering(ThreadPoolExecutor):
    """Keeps the answers of all units."""

    def __init__(self) -> None:
        super().__init__(2)
        self.futures: list[Future] = []

    def submit(self, function, /, *args, **kwargs):
        """Do as a thread pool does."""
        future = super().submit(function, *args, **kwargs)
        if function is worker.explore:
            self.futures.append(future)
        return future


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals a thread")
@pytest.mark.parametrize("how", ["interrupt", "look"])
def test_a_stop_loses_nothing_of_what_was_explored(tmp_path, how) -> None:
    """Ctrl-C, or a criterion: what is being explored is handed in, the rest is kept."""
    path = tmp_path / "run.ckpt"
    asked = []

    def look(progress):
        if progress.nodes and not asked:
            asked.append(True)
            if how == "interrupt":
                signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        return how == "look" and bool(asked)

    with Remembering() as executor:
        result = prunus.solve(
            read("ta051"),
            executor=executor,
            stop=look,
            checkpoint=path,
            first_incumbent="neh",
        )
    assert result.stopped_by == {"look": "stopping criterion look"}.get(how, how)
    done = [future.result().nodes for future in executor.futures if not future.cancelled()]
    assert result.nodes == sum(done)
    saved = read_checkpoint(str(path))
    left = sum(intervals_of(saved.open_work).measure(range(50, 0, -1)))
    assert saved.explored + left == math.factorial(50)
    assert saved.nodes == result.nodes


def test_a_stopped_search_tells_the_least_bound_of_what_is_open() -> None:
    """Above the root's, and below the optimum, however often it is stopped."""
    times = np.random.default_rng(3).integers(1, 100, (12, 5))
    shop = FlowShop(times)
    options = {"first_incumbent": "neh", "proof": "direct", "devices": "cpu:1"}
    best = prunus.solve(shop, devices="cpu:1").objective
    root = prunus.solve(shop, stop=lambda progress: True, **options).bound
    bounds = []
    for nodes in (100, 1000, 10_000, 100_000):
        with ThreadPoolExecutor(1) as executor:
            result = prunus.solve(shop, executor=executor, stop=MaxNodes(nodes), **options)
        assert root <= result.bound <= best
        bounds.append(result.bound)
    assert max(bounds) > root
