"""Threads does every piece once and stops when told to; pieces come into pieces as numbered."""

from __future__ import annotations

import threading
from time import sleep

import pytest

from prunus.knapsack.expanding_core.states import empty_states
from prunus.knapsack.two_list.pieces import OrderedPieces
from prunus.knapsack.two_list.workers import PieceWorkers
from prunus.runtime.stop_token import StoppedError


@pytest.mark.parametrize("size", [1, 2, 5])
def test_every_piece_once_and_in_order(size):
    """Pieces are done once each, and what they make stands in the order of their numbers."""
    workers, done = PieceWorkers(size, lambda: False), []
    free = [[] for _ in range(size)]
    lock = threading.Lock()

    def work(piece, member):
        assert 0 <= member < size
        with lock:
            done.append(piece)
        made = joined.piece(member, piece)
        for column in made:
            column[: piece % 7] = piece
        sleep(0.0001 * (piece % 3))
        joined.enter(piece, member, made, piece % 7)

    for pieces in (0, 1, 3, 40):
        done.clear()
        joined = OrderedPieces(free, out := empty_states(1000))
        workers.share(pieces, work)
        assert sorted(done) == list(range(pieces))
        expected = [piece for piece in range(pieces) for _ in range(piece % 7)]
        assert joined.close() == len(expected)
        assert all(column[: len(expected)].tolist() == expected for column in out)


def test_a_look_stops_it():
    """When the look says stop, pieces are left undone, and the workers can go on afterwards."""
    answers = iter([False, True])
    workers, done = PieceWorkers(2, lambda: next(answers, False)), []
    with pytest.raises(StoppedError):
        workers.share(10**6, lambda piece, _: done.append(piece))
    assert len(done) < 10**6
    done.clear()
    workers.share(4, lambda piece, _: done.append(piece))
    assert sorted(done) == [0, 1, 2, 3]


def test_an_error_of_any_member_comes_out():
    """An error in a thread ends the work of the others and reaches the caller."""
    workers = PieceWorkers(3, lambda: False)

    def work(piece, member):
        if piece == 2:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        workers.share(20, work)
