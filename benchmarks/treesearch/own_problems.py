"""Problems as users write them, with types: two that the library has as well, and three others."""

from __future__ import annotations

from typing import Any

import numpy as np

import prunus


class Tour(prunus.PermutationProblem):
    """The asymmetric TSP with the naive bound: item i is city i + 1."""

    def __init__(self, distances: Any) -> None:
        super().__init__(len(distances) - 1, state=2, data={"distances": distances})

    @staticmethod
    def descend(data: Any, state: Any, depth: Any, item: Any) -> None:
        """Go on to the item's city."""
        state[1] += data.distances[state[0], item + 1]
        state[0] = item + 1

    @staticmethod
    def bound(data: Any, state: Any, free: Any, depth: Any) -> Any:
        """Return the length so far."""
        if len(free) == 0:
            return state[1] + data.distances[state[0], 0]
        return state[1]

    def evaluate(self, permutation: Any) -> int:
        """Return the length of a tour."""
        tour = np.concatenate([[0], np.asarray(permutation) + 1])
        return int(self.data.distances[tour, np.roll(tour, -1)].sum())


class Shop(prunus.PermutationProblem):
    """The flow shop with the one-machine bound, jobs appended one by one."""

    def __init__(self, times: Any) -> None:
        until = np.cumsum(times, 1)
        data = {
            "times": times,
            "heads": (until - times).min(0),
            "tails": (times.sum(1)[:, None] - until).min(0),
            "loads": times.sum(0),
            "machines": times.shape[1],
        }
        super().__init__(len(times), state=2 * times.shape[1], data=data)

    @staticmethod
    def root(data: Any, state: Any) -> None:
        """Nothing is scheduled: each machine is free after the least head."""
        for m in range(data.machines):
            state[m] = data.heads[m]
            state[data.machines + m] = data.loads[m]

    @staticmethod
    def descend(data: Any, state: Any, depth: Any, item: Any) -> None:
        """Append a job."""
        time = 0
        for m in range(data.machines):
            time = max(time, state[m]) + data.times[item, m]
            state[m] = time
            state[data.machines + m] -= data.times[item, m]

    @staticmethod
    def bound(data: Any, state: Any, free: Any, depth: Any) -> Any:
        """Return the largest of the machines' bounds."""
        largest = 0
        for m in range(data.machines):
            largest = max(largest, state[m] + state[data.machines + m] + data.tails[m])
        return largest

    def evaluate(self, permutation: Any) -> int:
        """Return the makespan."""
        return prunus.FlowShop(self.data.times).evaluate(permutation)


class Assignment(prunus.PermutationProblem):
    """Quadratic assignment, bounded by what is fixed: the item at a position is a facility's place.

    Flows and distances are symmetric.
    """

    def __init__(self, flows: Any, distances: Any) -> None:
        data = {"flows": flows, "distances": distances}
        super().__init__(len(flows), state=1 + len(flows), data=data)

    @staticmethod
    def descend(data: Any, state: Any, depth: Any, item: Any) -> None:
        """Put the next facility at a place."""
        for other in range(depth):
            state[0] += 2 * data.flows[other, depth] * data.distances[state[1 + other], item]
        state[1 + depth] = item

    @staticmethod
    def bound(data: Any, state: Any, free: Any, depth: Any) -> Any:
        """Return what those cost that have a place."""
        return state[0]

    def evaluate(self, permutation: Any) -> int:
        """Sum over all ordered pairs."""
        places = np.asarray(permutation)
        return int((self.data.flows * self.data.distances[np.ix_(places, places)]).sum())


class Tardiness(prunus.PermutationProblem):
    """Weighted tardiness on one machine: what is free is as late as if it were next."""

    def __init__(self, times: Any, weights: Any, due: Any) -> None:
        super().__init__(len(times), state=2, data={"times": times, "weights": weights, "due": due})

    @staticmethod
    def descend(data: Any, state: Any, depth: Any, item: Any) -> None:
        """Append a job."""
        state[0] += data.times[item]
        state[1] += data.weights[item] * max(0, state[0] - data.due[item])

    @staticmethod
    def bound(data: Any, state: Any, free: Any, depth: Any) -> Any:
        """Add what each free job costs at least."""
        total = state[1]
        for j in free:
            total += data.weights[j] * max(0, state[0] + data.times[j] - data.due[j])
        return total

    def evaluate(self, permutation: Any) -> int:
        """Return the weighted tardiness."""
        order = np.asarray(permutation)
        late = np.maximum(0, np.cumsum(self.data.times[order]) - self.data.due[order])
        return int((self.data.weights[order] * late).sum())


class Ordering(prunus.PermutationProblem):
    """Linear ordering: each pair of free items costs the less of its two entries."""

    def __init__(self, matrix: Any) -> None:
        super().__init__(len(matrix), state=1 + len(matrix), data={"matrix": matrix})

    @staticmethod
    def descend(data: Any, state: Any, depth: Any, item: Any) -> None:
        """Put an item before all that are not yet placed."""
        state[1 + item] = 1
        for j in range(len(data.matrix)):
            if not state[1 + j]:
                state[0] += data.matrix[j, item]

    @staticmethod
    def bound(data: Any, state: Any, free: Any, depth: Any) -> Any:
        """Add the less for each pair."""
        total = state[0]
        for i in free:
            for j in free:
                if i < j:
                    total += min(data.matrix[i, j], data.matrix[j, i])
        return total

    def evaluate(self, permutation: Any) -> int:
        """Return the sum below the diagonal."""
        order = np.asarray(permutation)
        return int(np.tril(self.data.matrix[np.ix_(order, order)], -1).sum())
