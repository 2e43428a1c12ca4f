"""A problem of your own: assign facilities to places, minimising flow times distance."""

from __future__ import annotations

import itertools

import numpy as np

import prunus


class QuadraticAssignment(prunus.PermutationProblem):
    """Quadratic assignment: item p at position f puts facility f at place p."""

    objective_name = "transport"

    def __init__(self, flows, distances):
        size = len(flows)
        pairs = sorted(
            itertools.combinations(range(size), 2), key=lambda pair: distances[pair[0]][pair[1]]
        )
        # Flows among the facilities that are left at each depth, the largest first.
        left = np.zeros((size + 1, max(1, len(pairs))), int)
        for depth in range(size):
            among = sorted(flows[a][b] for a, b in itertools.combinations(range(depth, size), 2))
            left[depth, : len(among)] = among[::-1]
        data = {
            "flows": flows,
            "distances": distances,
            "pairs": np.array(pairs).reshape(-1, 2) if pairs else np.zeros((1, 2), int),
            "left": left,
        }
        super().__init__(size, state=1 + size, data=data)

    @staticmethod
    def descend(data, state, depth, item):
        """Put the next facility at a place: it is so far from each of those that have one."""
        for other in range(depth):
            state[0] += data.flows[other, depth] * data.distances[state[1 + other], item]
        state[1 + depth] = item

    @staticmethod
    def bound(data, state, free, depth):
        """Bound what is among the others, and between them and those that have a place.

        The largest flows over the shortest distances cost least; and each facility that is left
        costs at least what it does at the best of the free places.
        """
        total = state[0]
        k = 0
        for pair in range(len(data.pairs)):
            a, b = data.pairs[pair, 0], data.pairs[pair, 1]
            if a in free and b in free:
                total += data.left[depth, k] * data.distances[a, b]
                k += 1
        for facility in range(depth, len(data.flows)):
            least = -1
            for place in free:
                cost = 0
                for other in range(depth):
                    cost += data.flows[other, facility] * data.distances[state[1 + other], place]
                least = cost if least < 0 else min(least, cost)
            total += least
        return total

    def evaluate(self, permutation):
        """Sum over all pairs."""
        pairs = itertools.combinations(range(self.items), 2)
        flows, distances = self.data.flows, self.data.distances
        return sum(int(flows[a, b] * distances[permutation[a], permutation[b]]) for a, b in pairs)


def instance(size, seed):
    """Draw an instance: places on a grid, symmetric flows."""
    rng = np.random.default_rng(seed)
    flows = np.triu(rng.integers(0, 10, (size, size)), 1)
    x, y = np.divmod(np.arange(size), 3)
    distances = abs(x[:, None] - x) + abs(y[:, None] - y)
    return QuadraticAssignment(flows + flows.T, distances)


if __name__ == "__main__":
    print(prunus.check(instance(6, seed=1)))
    print(prunus.solve(instance(9, seed=1)))
