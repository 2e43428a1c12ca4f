"""Rows evaluated by several threads at once, and the words of memory they share."""

import threading
import time

import numpy as np

from prunus.assignment.exact.lists import atomic
from prunus.assignment.exact.lists.bid_batch import (
    BATCH,
    HELPERS,
    STOP,
    assist,
    evaluate,
    new_bid_batch,
)
from prunus.assignment.exact.lists.candidate_lists import new_candidate_lists
from prunus.assignment.exact.solver import ExactSolver
from prunus.assignment.instance.benefits import new_row_scratch, of_matrix
from prunus.assignment.instance.prepared import prepare_matrix
from prunus.hardware.jit.compiled import outer
from prunus.hardware.threads import Threads


@outer
def _count(words, times):
    for _ in range(times):
        atomic.add(words, 1, 2)


@outer
def _evaluate_many(values, lists, work, prices, batch, size, rounds, answers):
    """Put batch after batch on the batch and note what comes back."""
    for k in range(rounds):
        for q in range(size):
            batch.item[q, 0] = (k * size + q) % values.matrix.shape[0]
            batch.item[q, 1] = k & 1
        evaluate(values, lists, work, prices, batch, size)
        for q in range(size):
            answers[k, q, 0] = batch.item[q, 2]
            answers[k, q, 1] = batch.money[q, 0]
            prices[batch.item[q, 2]] += 0.01


def test_no_addition_is_lost():
    """Two threads that add to one word at the same time reach the sum."""
    words = np.zeros(3, np.int64)
    _count(words, 0)
    threads = [threading.Thread(target=_count, args=(words, 5_000_000)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert words.tolist() == [0, 20_000_000, 0]


def test_helpers_change_no_answer():
    """Batches of every size give the same rows the same bids, with helpers and without."""
    values = of_matrix(np.random.default_rng(1).random((300, 1500)).astype(np.float32), True)
    # Compiled now, and not while somebody waits for a helper.
    batch = new_bid_batch(values)
    batch.open()
    batch.close()
    assist(
        values,
        new_candidate_lists(values, 8),
        new_row_scratch(values),
        np.zeros(1500),
        batch,
    )
    for size in (1, 5, 7, BATCH):
        found = []
        for count in (1, 2):
            lists, batch, prices = (
                new_candidate_lists(values, 8),
                new_bid_batch(values),
                np.zeros(1500),
            )
            answers = np.zeros((1000, size, 2))
            given = (values, lists, new_row_scratch(values), prices, batch)

            def work(given=given, size=size, answers=answers, count=count):
                end = time.perf_counter() + 10
                while count > 1 and given[-1].words[HELPERS] == 0 and time.perf_counter() < end:
                    time.sleep(0.0001)
                _evaluate_many(*given, np.int64(size), len(answers), answers)

            def help_out(_, lists=lists, prices=prices, batch=batch):
                # Again where it found nothing to do before the others began.
                while batch.words[STOP] == 0:
                    assist(values, lists, new_row_scratch(values), prices, batch)

            batch.open()
            Threads(count).assisted(work, help_out, batch.close)
            found.append(answers)
        np.testing.assert_array_equal(*found)


def test_a_solve_is_the_same_on_any_number_of_cores():
    """Ties or not, one core and three end with the same assignment at the same prices."""
    rng = np.random.default_rng(2)
    points = rng.random((1600, 2)).astype(np.float32)
    apart = np.hypot(*(points[:, None] - points).transpose(2, 0, 1))
    for matrix, maximise in ((apart, True), (rng.integers(0, 40, (1600, 1600)), False)):
        ends = []
        for size in (1, 3):
            threads = Threads(size)
            exact = ExactSolver(prepare_matrix(matrix, maximise, threads), threads)
            for _ in exact.steps(lambda: 1000):
                pass
            ends.append((exact.auction.column, exact.auction.prices, exact.figures()))
        np.testing.assert_array_equal(ends[0][0], ends[1][0])
        np.testing.assert_array_equal(ends[0][1], ends[1][1])
        assert ends[0][2] == ends[1][2]


def test_threads_that_come_too_late_are_not_waited_for():
    """Work that is over before a helper has begun ends all the same, and closes the batch."""
    closed = []
    threads = Threads(3)
    assert threads.assisted(lambda: 7, lambda k: k, lambda: closed.append(True)) == 7
    assert threads.share(4, lambda k, begin, end: end - begin) == [1, 1, 2]
    assert closed == [True]
