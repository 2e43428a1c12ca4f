"""Problems as users would write them, and a plain search of their trees."""

from __future__ import annotations

import itertools

import numpy as np

from prunus import PermutationProblem
from prunus.custom.plain_tree import INFEASIBLE, PlainTree

CITY, LENGTH = 0, 1


def tour_bound(data, state, free):
    """The length of a path, and of the way back where nothing is free."""
    if len(free) == 0:
        return state[LENGTH] + data.distances[state[CITY], 0]
    return state[LENGTH]


class Tour(PermutationProblem):
    """The asymmetric TSP with the naive bound; item i is city i + 1."""

    def __init__(self, distances):
        super().__init__(len(distances) - 1, state=2, data={"distances": distances})

    @staticmethod
    def descend(data, state, depth, item):
        city = item + 1
        state[LENGTH] += data.distances[state[CITY], city]
        state[CITY] = city

    @staticmethod
    def bound(data, state, free, depth):
        return tour_bound(data, state, free)

    def evaluate(self, permutation):
        tour = [0, *(int(item) + 1 for item in permutation), 0]
        return sum(int(self.data.distances[a, b]) for a, b in itertools.pairwise(tour))


class Shop(PermutationProblem):
    """The flow shop with the one-machine bound, forward."""

    def __init__(self, times):
        times = np.asarray(times)
        jobs, machines = times.shape
        until = np.cumsum(times, 1)
        data = {
            "times": times,
            "heads": (until - times).min(0),
            "tails": (times.sum(1)[:, None] - until).min(0),
            "loads": times.sum(0),
            "machines": machines,
        }
        super().__init__(jobs, state=2 * machines, data=data)

    @staticmethod
    def root(data, state):
        for m in range(data.machines):
            state[m] = data.heads[m]
            state[data.machines + m] = data.loads[m]

    @staticmethod
    def descend(data, state, depth, item):
        time = 0
        for m in range(data.machines):
            time = max(time, state[m]) + data.times[item, m]
            state[m] = time
            state[data.machines + m] -= data.times[item, m]

    @staticmethod
    def bound(data, state, free, depth):
        largest = 0
        for m in range(data.machines):
            largest = max(largest, state[m] + state[data.machines + m] + data.tails[m])
        return largest

    def evaluate(self, permutation):
        ready = [0] * self.data.machines
        for job in permutation:
            time = 0
            for m in range(self.data.machines):
                time = max(time, ready[m]) + int(self.data.times[job, m])
                ready[m] = time
        return ready[-1]


def late(time, due):
    """A helper that the functions of a class call."""
    return max(0, time - due)


class Tardiness(PermutationProblem):
    """Total weighted tardiness on one machine: what is free is as late as if it were next."""

    def __init__(self, times, weights, due):
        super().__init__(len(times), state=2, data={"times": times, "weights": weights, "due": due})

    @staticmethod
    def descend(data, state, depth, item):
        state[0] += data.times[item]
        state[1] += data.weights[item] * late(state[0], data.due[item])

    @staticmethod
    def bound(data, state, free, depth):
        total = state[1]
        for j in free:
            total += data.weights[j] * late(state[0] + data.times[j], data.due[j])
        return total

    def evaluate(self, permutation):
        time = total = 0
        for job in map(int, permutation):
            time += int(self.data.times[job])
            total += int(self.data.weights[job]) * max(0, time - int(self.data.due[job]))
        return total


class Ordering(PermutationProblem):
    """Linear ordering: the largest sum above the diagonal; entries may be negative."""

    maximise = True

    def __init__(self, matrix):
        super().__init__(len(matrix), state=1 + len(matrix), data={"matrix": matrix})

    @staticmethod
    def bound(data, state, free, depth):
        total = state[0]
        for i in free:
            for j in free:
                if i < j:
                    total += max(data.matrix[i, j], data.matrix[j, i])
        return total

    @staticmethod
    def descend(data, state, depth, item):
        state[1 + item] = 1
        for j in range(len(data.matrix)):
            if not state[1 + j]:
                state[0] += data.matrix[item, j]

    def evaluate(self, permutation):
        order = list(map(int, permutation))
        pairs = itertools.combinations(order, 2)
        return sum(int(self.data.matrix[a, b]) for a, b in pairs)


class Queens(PermutationProblem):
    """All placements of queens, one a row and a column."""

    counts_solutions = True

    def __init__(self, n):
        super().__init__(n, state=n, data={})

    @staticmethod
    def descend(data, state, depth, item):
        state[depth] = item

    @staticmethod
    def feasible(data, state, free, depth):
        last = depth - 1
        for row in range(last):  # noqa: SIM110
            if abs(state[row] - state[last]) == last - row:
                return False
        return True

    def evaluate(self, permutation):
        pairs = itertools.combinations(enumerate(map(int, permutation)), 2)
        return all(abs(a - b) != abs(i - j) for (i, a), (j, b) in pairs)


def plain_search(problem, best=None):
    """Branch in plain Python what has a cost below ``best``; return nodes, leaves, least cost."""
    tree = PlainTree(problem)
    levels = len(problem.radix)
    limit = INFEASIBLE if best is None else best
    nodes = leaves = 0
    least = INFEASIBLE
    stack = [tree.root()]
    while stack:
        node = stack.pop()
        nodes += 1
        for item in node.free:
            child = tree.child(node, item)
            cost = tree.cost(child)
            if cost >= limit:
                continue
            if child.depth == levels:
                leaves += 1
                least = min(least, cost)
            else:
                stack.append(child)
    return nodes, leaves, least


def random_problems(rng, items):
    """One of each kind, of a size."""
    return [
        Tour(rng.integers(1, 50, (items + 1, items + 1))),
        Shop(rng.integers(1, 50, (items, 3))),
        Tardiness(*(rng.integers(1, 20, items) for _ in range(2)), rng.integers(1, 60, items)),  # type: ignore[call-arg]
        Ordering(rng.integers(-20, 20, (items, items))),
    ]


def best_of(problem):
    """The best objective over all permutations."""
    choose = max if problem.maximise else min
    everything = itertools.permutations(range(problem.items))
    return choose(problem.evaluate(order) for order in everything)
