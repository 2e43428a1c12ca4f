"""solve() on GPUs: the same answers, several devices together, what happens without one."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import prunus.hardware.cuda
from prunus import DeviceError, Status, SubsetSum, solve
from prunus.hardware.devices import Devices
from prunus.hardware.executor import ExecutorEngine
from prunus.runtime.incumbent import Incumbent
from prunus.runtime.monitor import Monitor
from prunus.subsetsum import search, solver
from prunus.subsetsum.dynamic_programming import bitset
from prunus.subsetsum.gpu import four_list, two_list
from prunus.subsetsum.gpu.tuning import FourListTuning, TwoListTuning
from prunus.subsetsum.pieces import machine, portions
from prunus.subsetsum.tuning import SubsetSumTuning
from tests.hardware.cuda.emulated import COMPILER, WARP, EmulatedDevice
from tests.subsetsum.brute_force import answer, even, instance, planted

emulated = pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler (g++ or clang++)")


class Card(EmulatedDevice):
    """An emulated GPU that threads may use in turn."""

    lock = threading.Lock()

    def __init__(self, index: int = 0) -> None:
        super().__init__()
        self.index = index

    def launch(self, *arguments):
        with self.lock:
            super().launch(*arguments)


class Broken(Card):
    """Fails at the first launch."""

    def launch(self, *arguments):
        raise DeviceError("cuda:0 (broken) failed: it is on fire")


def on(device, problem, gpus, method=None, cores=0, automatic=False, engine=None, **options):
    """Solve on emulated GPUs; return the outcome and the incumbent."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(prunus.hardware.cuda, "CudaDevice", device)
        patch.setattr(four_list, "DOUBTFUL", 4096)
        lists = {"first_threads": 2 * WARP, "base": 3, "threads": 2 * WARP, "items": 3}
        shape = TwoListTuning(**lists, search_threads=2 * WARP, tile=40, map=12, second=10)
        patch.setattr(two_list, "TwoListTuning", lambda: shape)
        patch.setattr(FourListTuning, "for_side", classmethod(lambda *_: four_list_shape))
        patch.setattr(search, "TUNING", SubsetSumTuning(gpu_from=-1.0))
        defaults = {"memory": None, "divisor_test": True}
        chosen = solver.settings(problem, defaults | options, method=method)
        monitor = Monitor(Incumbent(maximise=True))
        devices = Devices(cores, gpus, automatic, engine=engine)
        outcome = solver.run(problem, chosen, devices, monitor, 0)
        return outcome, monitor.incumbent.best


four_list_shape = FourListTuning(threads=2 * WARP, blocks=1, group=8, map=12, second=10, outer=4)


@emulated
@pytest.mark.parametrize("objective", ["sum", "closest", "count"])
def test_every_method_agrees_with_brute_force(objective) -> None:
    """Instances of all kinds, each by a random method on one GPU or two, beside cores or not."""
    rng = random.Random(objective)
    methods = ("four-list", "two-list", "two-list-unsplit", "bitset", None)
    for seed in range(100):
        weights, target = instance(seed, largest=2**20 if seed % 2 else None, most=14)
        method = methods[seed % len(methods)]
        if objective == "closest" and method == "four-list":
            method = "two-list"
        wide = sum(map(abs, weights)) >= 2**40
        if wide and (method == "bitset" or objective == "count"):
            method = None
        problem = SubsetSum(weights, target, objective=objective)
        gpus = (0, 1)[: rng.randint(1, 2)]
        outcome, best = on(
            Card, problem, gpus, method, cores=rng.randint(0, 1), divisor_test=rng.random() < 0.5
        )
        right = answer(weights, target, objective)
        told = (weights, target, method, outcome)
        assert outcome.complete, told
        if objective == "count":
            assert outcome.leaves == right, told
        else:
            assert (None if best is None else best.objective) == right, told
            assert best is None or problem.evaluate(best.solution) == right, told


@emulated
def test_an_automatic_gpu_that_fails_is_replaced_by_the_cores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With a notice; a GPU that was named must work, or the user is told that it does not."""
    monkeypatch.setattr("prunus.hardware.devices.find_spec", lambda name: name)  # CuPy is installed
    weights, target, chosen = planted(20, 40, 1)
    problem = SubsetSum(weights, target)
    for method in ("four-list", "two-list", "bitset"):
        small = SubsetSum([3, 34, 4, 12, 5, 2], 9)
        asked = small if method == "bitset" else problem
        with pytest.warns(UserWarning, match="searching on the CPU: cuda:0 .* on fire"):
            _, best = on(Broken, asked, (), method, cores=1, automatic=True)
        assert best is not None
        assert method == "bitset" or best.solution.tolist() == chosen
        with pytest.raises(DeviceError, match="on fire"):
            on(Broken, asked, (0,), method)


@emulated
@pytest.mark.parametrize("method", ["four-list", "two-list"])
def test_workers_of_an_executor_use_their_gpus(method) -> None:
    """Two threads at the same lists: planted subsets are found, and parity is proven."""
    for seed in range(3):
        with ThreadPoolExecutor(2) as executor:
            weights, target, chosen = planted(22, 40, seed)
            problem = SubsetSum(weights, target)
            outcome, best = on(Card, problem, (0, 1), method, engine=ExecutorEngine(executor))
            assert best is not None
            assert best.solution.tolist() == chosen
            weights, target = even(22, 40, seed)
            problem = SubsetSum(weights, target)
            outcome, best = on(
                Card, problem, (0, 1), method, engine=ExecutorEngine(executor), divisor_test=False
            )
            assert outcome.complete
            assert best is None
            assert outcome.devices == ("ThreadPoolExecutor:2",)


@emulated
def test_a_part_of_a_dense_instance_is_tried_on_the_gpu(monkeypatch) -> None:
    """A hundred items with far more subsets than sums: a few of them suffice, on the GPU too."""
    monkeypatch.setattr(bitset, "bytes_needed", lambda *_: 2**60)
    rng = random.Random(3)
    weights = [rng.randint(1, 2**16) for _ in range(100)]
    problem = SubsetSum(weights, sum(weights) // 2)
    outcome, best = on(Card, problem, (0,))
    assert (outcome.method, outcome.devices) == ("sampling", ("cuda:0",))
    assert best.objective == problem.target


@emulated
def test_the_device_that_did_it_is_named() -> None:
    """And what each has done, where several searched."""
    weights, target = even(24, 40, 1)
    outcome, _ = on(Card, SubsetSum(weights, target), (0, 1), "four-list", divisor_test=False)
    assert outcome.devices == ("cuda:0", "cuda:1")
    assert sum(outcome.statistics["pieces_by_device"].values()) == outcome.statistics["pieces"]
    outcome, _ = on(Card, SubsetSum(weights, target), (0,), "two-list", divisor_test=False)
    assert outcome.devices == ("cuda:0",)


@emulated
@pytest.mark.parametrize("devices", [("cuda:0", "cpu:1"), ("cuda:0", "cuda:0")])
def test_a_checkpoint_of_a_card_is_gone_on_with_anywhere(devices, tmp_path, monkeypatch) -> None:
    """Counting in two runs, begun here and ended there, gives the count of one."""
    monkeypatch.setattr(prunus.hardware.cuda, "CudaDevice", Card)
    monkeypatch.setattr(four_list, "DOUBTFUL", 4096)
    monkeypatch.setattr(FourListTuning, "for_side", classmethod(lambda *_: four_list_shape))
    monkeypatch.setattr(search, "KEYS_PER_CLASS", 16)
    hasty = SubsetSumTuning(portion_s=0.0, gpu_portion_s=0.0, poll_s=0.0)
    for module in (portions, machine):
        monkeypatch.setattr(module, "TUNING", hasty)
    rng = random.Random(5)
    weights = [rng.randint(2**15, 2**16) for _ in range(22)]
    problem = SubsetSum(weights, sum(weights) // 2, objective="count")
    path = tmp_path / "run"
    first = solve(
        problem,
        method="four-list",
        devices=devices[0],
        checkpoint=path,
        stop=lambda progress: progress.explored > 0.1,
    )
    assert 0 < first.explored < 1
    second = prunus.resume(path, devices=devices[1])
    assert second.status is Status.OPTIMAL
    assert second.objective == answer(weights, problem.target, "count") > 1


@pytest.mark.gpu
@pytest.mark.parametrize("method", [None, "four-list", "two-list", "two-list-unsplit"])
def test_solving_on_a_card(method) -> None:
    """Planted subsets are found and parity is proven, whatever the method."""
    for seed in range(3):
        weights, target, chosen = planted(44, 57, seed)
        result = solve(SubsetSum(weights, target), method=method, devices="cuda:0")
        assert result.solution.tolist() == chosen
        weights, target = even(44, 57, seed)
        result = solve(
            SubsetSum(weights, target), method=method, devices="cuda:0", divisor_test=False
        )
        assert (result.status, result.explored) == (Status.INFEASIBLE, 1.0)
        assert result.devices == ("cuda:0",)


@pytest.mark.gpu
def test_a_search_on_a_card_stops_and_goes_on(tmp_path) -> None:
    """A time limit leaves a checkpoint, from which the card and then the cores continue."""
    weights, target = even(72, 74, 1)
    path = tmp_path / "run"
    first = solve(
        SubsetSum(weights, target),
        devices="cuda:0",
        divisor_test=False,
        checkpoint=path,
        time_limit=0.2,
    )
    assert 0 < first.explored < 1
    second = prunus.resume(path, devices="cuda:0")
    assert (second.status, second.explored) == (Status.INFEASIBLE, 1.0)
