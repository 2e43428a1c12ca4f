"""The ledger: no piece is lost and none counts twice, whatever fails."""

from __future__ import annotations

import random

from prunus.subsetsum.pieces.accounting import PieceAccounting, PieceResult


def test_every_piece_counts_exactly_once() -> None:
    """Ranges given back, half done, or done: in the end each piece was counted once."""
    for seed in range(50):
        rng = random.Random(seed)
        ledger = PieceAccounting(200, sum, None)
        seen = [0] * 200
        out: list[tuple[int, int, int]] = []
        while not ledger.finished:
            taken = ledger.take(rng.randint(1, 30)) if rng.random() < 0.6 else None
            if taken is not None:
                out.append(taken)
                continue
            if not out:
                continue
            ticket, first, last = out.pop(rng.randrange(len(out)))
            if rng.random() < 0.3:
                ledger.give_back(ticket)
                continue
            end = rng.randint(first, last)
            for piece in range(first, end):
                seen[piece] += 1
            ledger.note(ticket, PieceResult(first, end, count=end - first))
            ranges, count = ledger.left()
            assert sum(b - a for a, b in ranges) == 200 - ledger.done == 200 - count
            assert ledger.waiting == 200 - ledger.done - sum(b - a for _, a, b in out)
        assert seen == [1] * 200
        assert (ledger.count, ledger.explored) == (200, 1.0)


def test_the_best_subset_is_kept_and_the_target_ends_it() -> None:
    """Larger sums replace smaller ones; with the target's sum nothing more is handed out."""
    ledger = PieceAccounting(10, sum, 9)
    for subset in ((5,), (7,), (6,)):
        ticket, first, last = ledger.take(2) or (0, 0, 0)
        ledger.note(ticket, PieceResult(first, last, subset))
    assert (ledger.subset, ledger.finished) == ((7,), False)
    ticket, first, last = ledger.take(4) or (0, 0, 0)
    ledger.note(ticket, PieceResult(first, first + 1, (4, 5)))
    assert ledger.satisfied
    assert ledger.take(1) is None
    assert (ledger.explored, ledger.done) == (1.0, 7)


def test_it_goes_on_where_another_was() -> None:
    """Open ranges and count of an earlier run are taken over."""
    ledger = PieceAccounting(10, sum, None)
    ledger.resume([(2, 4), (7, 8)], 11)
    assert (ledger.waiting, ledger.done, ledger.count) == (3, 7, 11)
    assert (ledger.take(5) or ())[1:] == (2, 4)


def test_who_waits_is_woken_at_the_end_only() -> None:
    """A range that is done or given back wakes nobody; the last one does, and so does a hit."""
    for hit in (None, (9,)):
        ledger = PieceAccounting(9, sum, 9)
        for _ in range(2):
            ticket, first, last = ledger.take(3) or (0, 0, 0)
            ledger.note(ticket, PieceResult(first, last))
            ledger.give_back((ledger.take(3) or (0, 0, 0))[0])
            assert not ledger.ended.is_set()
        ticket, first, last = ledger.take(3) or (0, 0, 0)
        ledger.note(ticket, PieceResult(first, last if hit is None else first + 1, hit))
        assert ledger.ended.is_set()
