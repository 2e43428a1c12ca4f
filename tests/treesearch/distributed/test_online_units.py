"""What is known, by messages, of the units that are out."""

from __future__ import annotations

from prunus.treesearch.distributed.messages import Message, MessageKind
from prunus.treesearch.distributed.online_units import OnlineUnits


class Worker:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.told: list[tuple[MessageKind, int, int]] = []

    def send(self, message: Message) -> None:
        """Note it."""
        self.told.append((message.kind, message.ticket, message.value))


def units_of(*said: tuple[Worker, MessageKind, int]) -> OnlineUnits:
    """Return what is known after some messages; units 1 to 3 are out."""
    times = iter(range(100))
    units = OnlineUnits(lambda: None, lambda: float(next(times)))
    for worker, kind, ticket in said:
        units.note(worker, Message(kind, ticket))
    units.received({1, 2, 3})
    return units


RECEIVED, SEARCHING = MessageKind.RECEIVED, MessageKind.SEARCHING
COMPILING, COMPILED = MessageKind.COMPILING, MessageKind.COMPILED


def test_units_are_searched_since_their_worker_said_so() -> None:
    """Those that came back before are not, nor those of which nobody said that they arrived."""
    one = Worker()
    units = units_of(
        (one, RECEIVED, 1), (one, SEARCHING, 1), (one, RECEIVED, 7), (one, SEARCHING, 7),
        (one, SEARCHING, 2),
    )  # fmt: skip
    assert units.search_began() == [(1, 1.0)]
    units.done(1)
    assert units.search_began() == []


def test_a_unit_is_with_the_worker_that_received_it_last() -> None:
    """An executor has given it to another one; that is told, and called back."""
    first, second = Worker(), Worker()
    units = units_of((first, RECEIVED, 1), (first, SEARCHING, 1), (second, RECEIVED, 1))
    assert units.search_began() == []
    units.tell_cutoff(1, 99)
    units.call_back(1)
    units.call_back(2)
    assert first.told == []
    assert second.told == [(MessageKind.CUTOFF, 1, 99), (MessageKind.RETURN, 1, 0)]
    assert units.called_back == 1


def test_a_worker_that_has_gone_has_no_units() -> None:
    """Others keep theirs."""
    first, second = Worker(), Worker()
    units = units_of(
        (first, RECEIVED, 1), (first, SEARCHING, 1), (second, RECEIVED, 2), (second, SEARCHING, 2)
    )
    units.call_back(1)
    units.forget(first)
    units.received({1, 2})
    assert units.search_began() == [(2, 3.0)]
    assert units.called_back == 0


def test_all_compile_where_nobody_is_known_to_search() -> None:
    """Those that have a unit count; each is told something, which shows whether it is there."""
    first, second, idle = Worker(), Worker(), Worker()
    said = [
        (first, RECEIVED, 1), (second, RECEIVED, 2), (first, COMPILING, -1), (idle, COMPILED, -1),
    ]  # fmt: skip
    assert not units_of().all_compile()
    assert not units_of(*said).all_compile()
    units = units_of(*said, (second, COMPILING, -1))
    assert units.all_compile()
    assert [kind for kind, _, _ in first.told + second.told] == [MessageKind.CONNECTED] * 2
    units.forget(first)
    units.note(second, Message(COMPILED))
    units.received(())
    assert not units.all_compile()
