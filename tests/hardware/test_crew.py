"""Threads that are kept."""

from __future__ import annotations

import multiprocessing
import threading
import time
import weakref

import pytest

from prunus.hardware import crew


def test_a_thread_is_used_again():
    """A job that begins when another has ended needs no new thread."""
    crew.ready(1)
    threads, used = set(threading.enumerate()), []
    for _ in range(3):
        waiting, patience = crew._idle.qsize(), time.monotonic() + 60
        job = crew.start(lambda: used.append(threading.current_thread()))
        job.join()
        assert not job.running
        # It is free a moment after its job has ended.
        while crew._idle.qsize() < waiting and time.monotonic() < patience:
            time.sleep(0.001)
    assert set(used) <= threads


def test_what_a_job_was_called_with_is_let_go_before_it_has_ended():
    """Whoever holds the job, and waits for it, holds nothing else: no cycle is left."""

    class Thing:
        def work(self, job):
            job.append(crew.Job)

    thing = Thing()
    seen = weakref.ref(thing)
    job = crew.start(thing.work, [thing])
    del thing
    job.join()
    assert seen() is None


def test_jobs_at_the_same_time_have_a_thread_each():
    """Nobody waits for a thread: as many jobs run together as were started."""
    together = threading.Barrier(5)
    jobs = [crew.start(together.wait, 60.0) for _ in range(5)]
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

    crew.together(work, range(3))
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
        crew.together(work, range(2))
    assert ended == [1 - bad]


def test_a_wait_for_a_job_can_end_first():
    """``join`` comes back after its time, and the job goes on."""
    gate = threading.Event()
    job = crew.start(gate.wait)
    job.join(0.001)
    assert job.running
    gate.set()
    job.join()
    assert not job.running


def _in_child(answers):
    job = crew.start(lambda: answers.put("done"))
    job.join(60.0)


def test_a_forked_process_has_threads_of_its_own():
    """Those of its parent are not in it, and it does not wait for them."""
    crew.ready(2)
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    child = context.Process(target=_in_child, args=(answers,))
    child.start()
    assert answers.get(timeout=60) == "done"
    child.join(60)
