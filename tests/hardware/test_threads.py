"""Threads that are kept."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
import weakref

import pytest

from prunus.hardware import threads as pool
from prunus.hardware.threads import Threads


def test_a_thread_is_used_again():
    """A job that begins when another has ended needs no new thread."""
    pool.reserve_threads(1)
    threads, used = set(threading.enumerate()), []
    for _ in range(3):
        waiting, patience = pool._idle.qsize(), time.monotonic() + 60
        job = pool.start_task(lambda: used.append(threading.current_thread()))
        job.join()
        assert not job.running
        # It is free a moment after its job has ended.
        while pool._idle.qsize() < waiting and time.monotonic() < patience:
            time.sleep(0.001)
    assert set(used) <= threads


def test_what_a_job_was_called_with_is_let_go_before_it_has_ended():
    """Whoever holds the job, and waits for it, holds nothing else: no cycle is left."""

    class Thing:
        def work(self, job):
            job.append(pool.Task)

    thing = Thing()
    seen = weakref.ref(thing)
    job = pool.start_task(thing.work, [thing])
    del thing
    job.join()
    assert seen() is None


def test_jobs_at_the_same_time_have_a_thread_each():
    """Nobody waits for a thread: as many jobs run together as were started."""
    together = threading.Barrier(5)
    jobs = [pool.start_task(together.wait, 60.0) for _ in range(5)]
    for job in jobs:
        job.join(60.0)
        assert not job.running
    assert not together.broken


def test_calls_for_numbers_run_together_the_first_one_here():
    """Each number has a thread of its own while the others run; all have ended afterwards."""
    meet, threads = threading.Barrier(3), {}

    def work(number):
        meet.wait(60.0)
        threads[number] = threading.get_ident()

    pool.run_together(work, range(3))
    assert len(set(threads.values())) == 3
    assert threads[0] == threading.get_ident()


@pytest.mark.parametrize("bad", [0, 1])
def test_what_a_call_raises_is_raised_when_all_have_ended(bad):
    """An error here or in another thread, and the other call is not cut short."""
    ended = []

    def work(number):
        if number == bad:
            raise ValueError(f"number {number}")
        time.sleep(0.02)
        ended.append(number)

    with pytest.raises(ValueError, match=f"number {bad}"):
        pool.run_together(work, range(2))
    assert ended == [1 - bad]


def test_a_wait_for_a_job_can_end_first():
    """``join`` comes back after its time, and the job goes on."""
    gate = threading.Event()
    job = pool.start_task(gate.wait)
    job.join(0.001)
    assert job.running
    gate.set()
    job.join()
    assert not job.running


def _in_child(answers):
    job = pool.start_task(lambda: answers.put("done"))
    job.join(60.0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="forks")
def test_a_forked_process_has_threads_of_its_own():
    """Those of its parent are not in it, and it does not wait for them."""
    pool.reserve_threads(2)
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=_in_child, args=(answers,))
    child.start()
    assert answers.get(timeout=60) == "done"
    child.join(60)


@pytest.mark.parametrize(
    ("size", "least", "shares"), [(10, 1, 3), (2, 1, 2), (10, 4, 2), (0, 1, 1)]
)
def test_shares_are_even_and_none_is_too_small(size, least, shares):
    """They cover the range in order, and the answers come in it."""
    found = Threads(3).share(size, lambda k, begin, end: (k, begin, end), least=least)
    assert [k for k, _, _ in found] == list(range(shares))
    assert [i for _, begin, end in found for i in range(begin, end)] == list(range(size))
    lengths = [end - begin for _, begin, end in found]
    assert max(lengths) - min(lengths) <= 1


def test_a_task_that_is_cancelled_never_runs():
    """One that has begun cannot be; its answer comes, or what it raised."""
    begun, gate = threading.Event(), threading.Event()
    running = pool.start_task(lambda: (begun.set(), gate.wait(60), 5)[2])
    begun.wait(60)
    assert not running.cancel()
    waiting = pool.Task(lambda: 1 / 0, ())
    assert waiting.cancel()
    waiting.run()
    assert not waiting.running
    gate.set()
    assert running.result() == 5
    with pytest.raises(ZeroDivisionError):
        pool.start_task(lambda: 1 / 0).result()


@pytest.mark.parametrize("cores", [1, 3])
def test_pieces_are_done_once_each(cores):
    """By whoever is free; each thread has one at a time."""
    done, busy = [], [0] * cores

    def work(piece, thread):
        busy[thread] += 1
        assert busy[thread] == 1
        done.append(piece)
        busy[thread] -= 1

    assert Threads(cores).take_pieces(50, work)
    assert sorted(done) == list(range(50))
    assert Threads(cores).take_pieces(0, work)


def test_no_piece_is_begun_after_a_stop():
    """The calling thread asks after each of its own; the others end with what they have."""
    done = []
    assert not Threads(1).take_pieces(
        10, lambda piece, _: done.append(piece), lambda: done == [0, 1]
    )
    assert done == [0, 1]


@pytest.mark.parametrize("bad", [0, 1])
def test_an_error_in_a_piece_ends_the_rest(bad):
    """It comes out when all threads have ended."""
    meet, done = threading.Barrier(2), []

    def work(piece, thread):
        if piece < 2:
            meet.wait(60)
        if thread == bad:
            raise ValueError(thread)
        time.sleep(0.001)
        done.append(piece)

    with pytest.raises(ValueError, match=str(bad)):
        Threads(2).take_pieces(10**6, work)
    assert len(done) < 10**5


def test_others_assist_until_the_work_is_done():
    """They are told when it is, and whoever has not begun by then never does."""
    closed, helped = threading.Event(), threading.Event()

    def assist(_):
        helped.set()
        closed.wait(60)

    def work():
        helped.wait(60)
        return 7

    assert Threads(3).assisted(work, assist, closed.set) == 7
    assert Threads(1).assisted(lambda: 7, assist, closed.set) == 7
