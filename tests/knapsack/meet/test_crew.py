"""A crew does every piece once, in turn where that is wanted, and stops when told to."""

from __future__ import annotations

import threading

import pytest

from prunus.knapsack.meet.crew import Crew, StoppedError


@pytest.mark.parametrize("size", [1, 2, 5])
def test_every_piece_once_and_in_turn(size):
    """Pieces are done once each; what is done in turn is done in their order."""
    crew, done, order = Crew(size, lambda: False), [], []
    lock = threading.Lock()

    def work(piece, member):
        assert 0 <= member < size
        with lock:
            done.append(piece)
        crew.in_turn(piece, lambda: order.append(piece))

    for pieces in (0, 1, 3, 40):
        done.clear()
        order.clear()
        crew.share(pieces, work)
        assert sorted(done) == order == list(range(pieces))
    crew.close()


def test_a_look_stops_it():
    """When the look says stop, pieces are left undone, and the crew can go on afterwards."""
    answers = iter([False, True])
    crew, done = Crew(2, lambda: next(answers, False)), []
    with pytest.raises(StoppedError):
        crew.share(10**6, lambda piece, _: done.append(piece))
    assert len(done) < 10**6
    done.clear()
    crew.share(4, lambda piece, _: done.append(piece))
    assert sorted(done) == [0, 1, 2, 3]
    crew.close()


def test_an_error_of_any_member_comes_out():
    """An error in a thread ends the others' waiting and reaches the caller."""
    crew = Crew(3, lambda: False)

    def work(piece, member):
        if piece == 2:
            raise ZeroDivisionError
        crew.in_turn(piece, lambda: None)

    with pytest.raises((ZeroDivisionError, StoppedError)):
        crew.share(20, work)
    crew.close()
