"""Which method works on a knapsack when, and what is known of it meanwhile.

The core is tried on the plain relaxation with few states; then, if that is not enough, on identical
items tied into bundles, and with a constraint on the number of items. Where its list grows long, a
second list grows toward it. They go on until they have cost what the dense method is expected to
cost, which then takes over: never more than about twice the time of the better of the two.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.errors import DeviceError
from prunus.knapsack.core import UNCOUNTED, Core
from prunus.knapsack.dense import Dense
from prunus.knapsack.gpu.cards import NO_CARDS, Cards
from prunus.knapsack.gpu.core import LONG, CoreOnCard
from prunus.knapsack.gpu.dense import GpuDense
from prunus.knapsack.gpu.large import LargeDense
from prunus.knapsack.groups.classes import classify
from prunus.knapsack.groups.method import Groups
from prunus.knapsack.items import Items, bundled, normalise, repetitive
from prunus.knapsack.meet.crew import Crew
from prunus.knapsack.meet.crew import StoppedError as StoppedSearch
from prunus.knapsack.meet.meeting import Meeting
from prunus.knapsack.memory import usable_memory
from prunus.knapsack.relaxation import Relaxation, cardinality, relax, tighten
from prunus.knapsack.start import first_choice
from prunus.knapsack.table import Plan, StoppedError, trim
from prunus.monitor import Monitor
from prunus.outcome import Outcome
from prunus.problems.knapsack import Knapsack

__all__ = ["Search"]

Array = NDArray[np.int64]

_FIRST = 2_000  # states for the first try, besides one an item: sorting costs as much
_SECOND = 20_000  # states for the second, with items counted
_PLAIN = 2_000_000  # states of one list before there are two
_LOOK = 0.03  # seconds between two looks at the clock
_LONG = 5.0  # seconds of two lists after which a GPU that need not be asked for takes the core
_BOUND = 1.0  # seconds between two looks at what is still possible
_SLICE = 10_000_000  # states between two looks at the clock
_CARD_SLICE = 1_000_000_000  # the same, on a GPU
_AHEAD = 4.0  # how much longer a core is expected to take than it has taken
_STATE = 7e-9  # seconds a state, and a cell, roughly: only their ratio decides anything
_CARD_STATE = 2e-10
_CELL = 1.2e-10
_FAR_CELL = 8e-10  # of a table beyond the cache, with weights that reach beyond any tile
_GPU_CELL = 1e-12
_GPU_ITEM = 1e-5
_LARGE_CELL = 2e-12
_CACHE = 1 << 23
_FAR = 1 << 16
_PATIENCE = 0.1  # seconds that the core gets whatever the dense method costs
_MOST_COUNT = 2000  # items in a bundle, where items are counted


class Search:
    """A solve.

    Parameters
    ----------
    problem
        The instance.
    monitor
        Watches it.
    cores
        Threads of the dense method.
    memory
        Bytes that it may take; None for half of what is free.
    cards
        GPUs.
    through_host
        Whether several GPUs exchange values through the memory of the host.
    """

    def __init__(
        self,
        problem: Knapsack,
        monitor: Monitor,
        cores: int,
        memory: int | None = None,
        cards: Cards = NO_CARDS,
        through_host: bool = False,
    ) -> None:
        self._monitor, self._cards, self._through_host = monitor, cards, through_host
        self._cores, self._bytes = cores, memory
        self._capacity, self._size = problem.capacity, problem.items
        self._reduced = normalise(problem)
        self._items = self._reduced.items
        self._value = -1  # of the best choice among the items
        self._limit = int(self._items.profits.sum())  # no choice is worth more
        self._complete = False
        self._explored = 0.0
        self._states = self._cells = 0
        self._method = "core"
        self._threads = 1
        self._names: tuple[str, ...] = ()  # of the GPUs that have worked
        self._statistics: dict[str, Any] = {}
        self._looked = 0.0
        best = monitor.incumbent.best
        if best is not None:
            # One whose value is no multiple of the unit is beaten by the next one that is.
            self._value = (int(best.objective) - self._reduced.profit) // self._reduced.unit

    def run(self, method: str, *, profile: bool = False) -> None:
        """Search until the optimum is proven or the monitor says stop."""
        items = self._items
        if int(items.weights.sum()) <= items.capacity:
            self._offer(np.arange(len(items)), "everything fits")
            self._limit = self._value
        if profile:
            self._profile()
        elif not self._proven():
            if repetitive(items):
                self._items = bundled(items)
            root = self._relax(self._items)
            if not self._proven():
                self._attempt(root, method)
        if self._proven():
            self._complete, self._explored = True, 1.0

    @property
    def _memory(self) -> int:
        """Bytes that lists and tables may take; asked for only when it matters."""
        if self._bytes is None:
            self._bytes = usable_memory()
        return self._bytes

    def outcome(self) -> Outcome:
        """Say what was found and proven."""
        reduced = self._reduced
        return Outcome(
            complete=self._complete,
            bound=reduced.objective(self._value if self._complete else self._limit),
            nodes=self._states,
            explored=self._explored,
            devices=self._names or (f"cpu:{self._threads}",),
            statistics={"states": self._states, "cells": self._cells, **self._statistics},
            method=self._method,
        )

    def _attempt(self, root: Relaxation, method: str) -> None:
        if method == "dense":
            self._dense(root)
            return
        core, best = self._core(root), root
        if self._advance(core, root, _FIRST + len(root.w)):
            self._settle(core)
            return
        best = self._tightened(root)
        if best is not root and not self._proven():
            core = self._core(best)
            if self._advance(core, best, _SECOND) and core.done:
                self._settle(core)
        if self._proven() or (method != "core" and self._group()):
            return
        if self._items is self._reduced.items:
            tied = bundled(self._items)
            if len(tied) < 0.7 * len(self._items):
                self._items = tied
                best = self._tightened(self._relax(tied))
                if self._proven():
                    return
                core = self._core(best)
        core = self._run_core(core, best, method == "auto")
        if core.exhausted == UNCOUNTED:
            best = self._relax(self._items)
            core = self._run_core(self._core(best), best, method == "auto")
        if core.done:
            self._settle(core)
        elif self._monitor.stopped_by is None and method == "auto":
            self._dense(best)

    def _tightened(self, root: Relaxation) -> Relaxation:
        """Return the relaxation with a constraint on the number of items, if that is stronger."""
        if self._proven() or int(root.counts.max()) > _MOST_COUNT:
            return root
        constraint = cardinality(root, self._items.capacity, self._value)
        if constraint is None:
            return root
        tighter = tighten(root, self._items.capacity, constraint)
        # Counting costs a little with every state, so it must be worth it.
        if _floor(tighter) >= min(_floor(root), self._limit):
            return root
        self._bound(_floor(tighter))
        return tighter

    def _group(self) -> bool:
        """Decide how many of each class of weights, where there are such; say if that was all."""
        items = self._items
        classes = classify(items.weights, items.profits, items.capacity)
        if classes is None or self._monitor.stopped_by is not None:
            return False
        groups = Groups(classes, self._value, self._limit, lambda: self._look("groups"))
        done = groups.run()
        if groups.chosen is not None:
            self._offer(groups.chosen, "groups")
        self._bound(groups.limit)
        self._statistics |= {"sums": groups.sums, "counts": groups.vectors}
        if done:
            self._method = "groups"
        return done or self._monitor.stopped_by is not None

    def _relax(self, items: Items) -> Relaxation:
        relaxation = relax(items.weights, items.profits, items.count, items.capacity)
        self._bound(_floor(relaxation))
        value, chosen = first_choice(relaxation)
        if value > self._value:
            self._offer(relaxation.order[chosen], "greedy")
        return relaxation

    def _core(self, relaxation: Relaxation) -> Core:
        return Core(relaxation, self._value, lambda: self._memory)

    def _run_core(self, core: Core, relaxation: Relaxation, may_leave: bool) -> Core:
        """Run the core, here or on a card; return it. It may leave the rest to the dense method."""
        if self._advance(core, relaxation, _PLAIN) or self._look("core"):
            if core.exhausted not in (None, UNCOUNTED) and not may_leave:
                self._monitor.stopped_by = core.exhausted
            return core
        if not self._cards.asked and self._meet(core, relaxation, may_leave):
            return core
        price, priced, spent = math.inf, -1, 0.0
        while True:
            if may_leave and self._value != priced:
                price, priced = self._price(relaxation), self._value
            before, on_card = core.states, isinstance(core, CoreOnCard)
            try:
                core = self._on_card(core, spent)
                over = self._advance(core, relaxation, _CARD_SLICE if on_card else _SLICE)
            except DeviceError as error:
                self._cards.fails(error)
                core, over = self._core(relaxation), False
                continue
            spent += (core.states - before) * (_CARD_STATE if on_card else _STATE)
            if over:
                break
            self._bound(core.bound())
            if self._look("core"):
                break
            if spent > max(_PATIENCE, price):
                break
        if core.exhausted not in (None, UNCOUNTED) and (not may_leave or price == math.inf):
            self._monitor.stopped_by = core.exhausted
        return core

    def _meet(self, core: Core, relaxation: Relaxation, may_leave: bool) -> bool:
        """Go on with two lists; return whether that was it, or a GPU had better take the core."""
        crew = Crew(self._cores, self._pause)
        meeting = Meeting(core.hand_over(), crew, lambda: self._memory)
        self._threads = self._cores
        price, priced, states, bounded = math.inf, -1, 0, perf_counter()
        try:
            while not (meeting.done or meeting.exhausted or meeting.uncounted):
                if may_leave and self._value != priced:
                    price, priced = self._price(relaxation), self._value
                meeting.advance()
                self._states += meeting.states - states
                states = meeting.states
                if meeting.value > self._value:
                    self._offer(relaxation.order[meeting.chosen()], "core")
                if perf_counter() - bounded > _BOUND:
                    self._bound(meeting.bound())
                    bounded = perf_counter()
                spent = meeting.seconds / self._cores
                if self._pause() or spent > max(_PATIENCE, price):
                    break
                if spent > _LONG and self._cards.open(_AHEAD * spent):
                    return False
        except StoppedSearch:
            pass
        finally:
            crew.close()
        self._bound(meeting.bound())
        self._statistics |= {"core": meeting.size, "longest list": meeting.peak}
        core.done = meeting.done
        core.exhausted = UNCOUNTED if meeting.uncounted else meeting.exhausted
        if meeting.exhausted and (not may_leave or price == math.inf):
            self._monitor.stopped_by = meeting.exhausted
        return True

    def _pause(self) -> bool:
        """Look at the clock if it is time to; say whether to stop."""
        if perf_counter() - self._looked < _LOOK:
            return self._monitor.stopped_by is not None
        return self._look("core")

    def _on_card(self, core: Core, spent: float) -> Core:
        """Let a core go on on a GPU if its list is long and it has taken a while."""
        if isinstance(core, CoreOnCard) or core.count < LONG:
            return core
        cards = self._cards.open(_AHEAD * spent)
        if not cards:
            return core
        self._names = (f"cuda:{cards[0].index}",)
        return CoreOnCard(core, cards[0])

    def _advance(self, core: Core, relaxation: Relaxation, budget: int) -> bool:
        before, value = core.states, core.value
        over = core.advance(budget)
        self._states += core.states - before
        if core.improved and (core.value > value or core.value > self._value):
            self._offer(relaxation.order[core.chosen()], "core")
        return over

    def _settle(self, core: Core) -> None:
        """Note that a core is done: nothing beats the best choice."""
        if core.done:
            self._bound(self._value)
            self._statistics.setdefault("core", core.size)
            self._statistics.setdefault("longest list", core.peak)
        elif core.exhausted:
            self._monitor.stopped_by = core.exhausted

    def _undecided(self, relaxation: Relaxation) -> tuple[Array, Array, int]:
        """Return the items that a better choice contains, those it may contain, and their room."""
        forced = relaxation.forced()
        free = forced >= self._value + 1 - relaxation.profit - relaxation.slack
        inside = np.arange(len(forced)) < relaxation.middle
        fixed = relaxation.order[inside & ~free]
        room = self._items.capacity - int(self._items.weights[fixed].sum())
        return fixed, relaxation.order[free], room

    def _on_cores(self, tick: Any = None) -> Dense:
        return Dense(self._cores, self._memory, self._limit, tick)

    def _on_cards(self, seconds: float, tick: Any = None) -> GpuDense | None:
        """Return the dense method on GPUs, if there are any for what takes so long on cores."""
        try:
            cards = self._cards.open(seconds)
            memory = min((int(0.8 * card.free_memory()) for card in cards), default=0)
        except DeviceError as error:
            self._cards.fails(error)
            return None
        return GpuDense(cards, self._limit, memory, tick, self._through_host) if cards else None

    def _price(self, relaxation: Relaxation) -> float:
        """Estimate the seconds that the dense method takes; infinite if it does not fit."""
        _, free, room = self._undecided(relaxation)
        w, p = self._items.weights[free], self._items.profits[free]
        light = w <= room
        w, p = w[light], p[light]
        if not len(w):
            return 0.0
        plan, dense = trim(w, p, room, room), self._on_cores()
        seconds = self._seconds(plan, dense, room)
        on_cards = self._on_cards(seconds)
        if on_cards is not None and on_cards.fits(w, room):
            seconds = min(seconds, plan.cells * _GPU_CELL + len(w) * _GPU_ITEM)
        elif on_cards is not None and self._in_place(on_cards, 0).fits(w, p, room):
            seconds = min(seconds, 3 * plan.cells * _LARGE_CELL)
        return seconds

    def _in_place(self, on_cards: GpuDense, known: int) -> LargeDense:
        """Return the method for tables of which two do not fit on a card."""
        return LargeDense(on_cards.devices[0], on_cards.memory * 9 // 8, known, on_cards.tick)

    def _seconds(self, plan: Plan, dense: Dense, room: int) -> float:
        if not dense.fits(plan):
            return math.inf
        # What counts is where the cells are, not where the items are.
        widths = np.maximum(plan.most - plan.least + 1, 0)
        far = int(widths[plan.w > _FAR].sum()) if 4 * room > _CACHE else 0
        near = plan.cells - far
        seconds = (near * _CELL + far * _FAR_CELL) * (dense.work(plan) / max(1, plan.cells))
        return float(seconds / self._cores)

    def _dense(self, relaxation: Relaxation) -> None:
        """Solve what is undecided by the dense method."""
        _, free, room = self._undecided(relaxation)
        plan = self._plan(self._items, free, room)
        seconds = self._seconds(plan, self._on_cores(), room) if plan is not None else 0.0
        on_cards = self._on_cards(seconds)
        if on_cards is not None and self._items is not self._reduced.items:
            self._items = self._reduced.items  # the GPU's method ties bundles of its own
            relaxation = self._relax(self._items)
        if on_cards is None and self._items is self._reduced.items:
            tied = bundled(self._items)
            if len(tied) < 0.9 * len(self._items):
                self._items = tied
                relaxation = self._relax(tied)
        fixed, free, room = self._undecided(relaxation)
        items = self._items
        w, p = items.weights[free], items.profits[free]
        self._method, self._threads = "dense", self._cores
        plan = self._plan(items, free, room)
        total = 2 * plan.cells if plan is not None else 1
        if plan is not None and self._on_cores().work(plan) == plan.cells:
            total //= 2

        def tick(cells: int) -> bool:
            self._cells += cells
            self._explored = min(0.99, self._cells / max(1, total))
            return self._look("dense")

        def work(method: Dense | GpuDense) -> Array:
            return method.choose(w, p, room)

        known = self._value - int(items.profits[fixed].sum())
        chosen = self._run_dense(work, seconds, tick, known)
        if chosen is None:
            return
        found = np.concatenate([fixed, free[chosen]])
        if int(items.profits[found].sum()) > self._value:
            self._offer(found, "dense")
        self._bound(self._value)

    def _plan(self, items: Items, free: Array, room: int) -> Plan | None:
        light = free[items.weights[free] <= room]
        return trim(items.weights[light], items.profits[light], room, room) if len(light) else None

    def _run_dense(
        self, work: Callable[[Any], Any], seconds: float, tick: Any, known: int | None = None
    ) -> Any:
        """Do some work on GPUs if there are any, else on cores; None if it was not done.

        With a profit that is known, tables of which two do not fit may be changed in place.
        """
        on_cards = self._on_cards(seconds, tick)
        try:
            if on_cards is not None:
                names = tuple(f"cuda:{device.index}" for device in on_cards.devices)
                methods: list[tuple[Any, tuple[str, ...]]] = [(on_cards, names)]
                if known is not None:
                    methods.append((self._in_place(on_cards, known), names[:1]))
                try:
                    for method, self._names in methods:
                        with contextlib.suppress(MemoryError):
                            return work(method)
                except DeviceError as error:
                    self._cards.fails(error)
                self._names = ()
            return work(self._on_cores(tick))
        except StoppedError:
            return None
        except MemoryError:
            self._monitor.stopped_by = "memory"
            return None

    def _profile(self) -> None:
        """Find the optimum of every capacity."""
        reduced = self._reduced
        items = bundled(reduced.items)
        self._method, self._threads = "dense", self._cores
        total = max(1, len(items) * items.capacity)

        def tick(cells: int) -> bool:
            self._cells += cells
            self._explored = min(0.99, self._cells / total)
            return self._look("profile")

        if 8 * (self._capacity + 1) > self._memory:
            self._monitor.stopped_by = "memory"
            return

        def work(method: Dense | GpuDense) -> tuple[NDArray[Any], Array | None]:
            source = reduced.items if isinstance(method, GpuDense) else items
            self._items = source
            w, p = source.weights, source.profits
            values, chosen = method.profile(w, p, source.capacity)
            if chosen is None and not self._proven():
                chosen = method.choose(w, p, source.capacity)
            return values, chosen

        found = self._run_dense(work, total * _CELL / self._cores, tick)
        if found is None:
            return
        values, chosen = found
        cells = np.arange(self._capacity + 1) // reduced.weight_unit
        profile = values[np.minimum(cells, len(values) - 1)].astype(np.int64)
        self._statistics["profile"] = reduced.profit + reduced.unit * profile
        if chosen is not None and int(self._items.profits[chosen].sum()) > self._value:
            self._offer(chosen, "dense")
        self._bound(self._value)

    def _offer(self, chosen: Array, source: str) -> None:
        """Take a better choice of items."""
        items = self._items
        self._value = int(items.profits[chosen].sum())
        inside = np.zeros(self._size, dtype=bool)
        inside[self._reduced.packed] = True
        inside[items.expand(chosen)] = True
        solution = np.flatnonzero(inside)
        self._monitor.incumbent.offer(self._reduced.objective(self._value), solution, source)

    def _bound(self, limit: int) -> None:
        self._limit = max(self._value, min(self._limit, limit))

    def _proven(self) -> bool:
        return self._limit <= self._value

    def _look(self, phase: str) -> bool:
        self._looked = perf_counter()
        return self._monitor.look(
            phase,
            bound=self._reduced.objective(self._limit),
            explored=self._explored,
            nodes=self._states,
            active=self._threads,
            explorers=self._threads,
        )


def _floor(relaxation: Relaxation) -> int:
    return math.floor(relaxation.bound + relaxation.slack)
