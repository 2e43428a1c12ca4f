"""The accounting: no piece is lost and none counts twice, whatever fails."""

from __future__ import annotations

import random

from prunus.subsetsum.pieces.accounting import PieceAccounting, PieceResult


def test_every_piece_counts_exactly_once() -> None:
    """Ranges given back, half done, or done: in the end each piece was counted once."""
    for seed in range(50):
        rng = random.Random(seed)
        accounting = PieceAccounting(200, sum, None)
        seen = [0] * 200
        out: list[tuple[int, int, int]] = []
        while not accounting.finished:
            taken = accounting.take(rng.randint(1, 30)) if rng.random() < 0.6 else None
            if taken is not None:
                out.append(taken)
                continue
            if not out:
                continue
            ticket, first, last = out.pop(rng.randrange(len(out)))
            if rng.random() < 0.3:
                accounting.give_back(ticket)
                continue
            end = rng.randint(first, last)
            for piece in range(first, end):
                seen[piece] += 1
            accounting.note(ticket, PieceResult(first, end, count=end - first))
            ranges, count = accounting.left()
            assert sum(b - a for a, b in ranges) == 200 - accounting.done == 200 - count
            assert accounting.waiting == 200 - accounting.done - sum(b - a for _, a, b in out)
        assert seen == [1] * 200
        assert (accounting.count, accounting.explored) == (200, 1.0)


def test_the_best_subset_is_kept_and_the_target_ends_it() -> None:
    """Larger sums replace smaller ones; with the target's sum nothing more is handed out."""
    accounting = PieceAccounting(10, sum, 9)
    for subset in ((5,), (7,), (6,)):
        ticket, first, last = accounting.take(2) or (0, 0, 0)
        accounting.note(ticket, PieceResult(first, last, subset))
    assert (accounting.subset, accounting.finished) == ((7,), False)
    ticket, first, last = accounting.take(4) or (0, 0, 0)
    accounting.note(ticket, PieceResult(first, first + 1, (4, 5)))
    assert accounting.satisfied
    assert accounting.take(1) is None
    assert (accounting.explored, accounting.done) == (1.0, 7)


def test_it_goes_on_where_another_was() -> None:
    """Open ranges and count of an earlier run are taken over."""
    accounting = PieceAccounting(10, sum, None)
    accounting.resume([(2, 4), (7, 8)], 11)
    assert (accounting.waiting, accounting.done, accounting.count) == (3, 7, 11)
    assert (accounting.take(5) or ())[1:] == (2, 4)


def test_who_waits_is_woken_at_the_end_only() -> None:
    """A range that is done or given back wakes nobody; the last one does, and so does a hit."""
    for hit in (None, (9,)):
        accounting = PieceAccounting(9, sum, 9)
        for _ in range(2):
            ticket, first, last = accounting.take(3) or (0, 0, 0)
            accounting.note(ticket, PieceResult(first, last))
            accounting.give_back((accounting.take(3) or (0, 0, 0))[0])
            assert not accounting.ended.is_set()
        ticket, first, last = accounting.take(3) or (0, 0, 0)
        accounting.note(ticket, PieceResult(first, last if hit is None else first + 1, hit))
        assert accounting.ended.is_set()
