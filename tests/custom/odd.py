"""A problem whose functions use everything that can be translated for a GPU."""

from __future__ import annotations

import numpy as np

from prunus import PermutationProblem

LAST, STEP = -1, -2


def mixed(a, b):
    """Divide and take remainders, with whatever signs."""
    if b == 0:
        return a
    return a // b + 3 * (a % b) - (a >> 2) + (b << 1)


def touched(state, at, values):
    """Change the state, and look at an array that was passed."""
    low = high = 0
    low, high = values[at], values[LAST]
    if low > high:
        low, high = high, low
    state[LAST] += high - low


def drawn(limit):
    """Count with while, break and continue."""
    total = n = 0
    while True:
        n += 1
        if n % 3 == 1:
            continue
        if n > limit or total > 40:
            break
        total += n if not n & 1 else -n
    return total


class Odd(PermutationProblem):
    """Costs without a meaning; the bound of a prefix is what is certain: that they only grow."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        data = {
            "values": rng.integers(-9, 10, 6),
            "cube": rng.integers(-5, 6, (6, 2, 3)),
            "offset": -7,
            "rows": 2,
            "été": 3,
        }
        super().__init__(6, state=4, data=data)

    @staticmethod
    def root(data, state):
        state[-4] = data.offset

    @staticmethod
    def descend(data, state, k, job):
        a: int = data.values[job]
        b = data.values[state[1]] if k > 0 else data.values[0]
        cost = mixed(a, b) ^ 5
        for i in range(data.rows):
            for j in range(2, -1, -1):
                if (i == 1 and j < 2) or not (a <= b < 3):
                    cost += data.cube[job, i, j] * data.cube[job - 6, i][j]
                elif i != j:
                    cost -= ~data.cube[job, i, j] & 3
        for i in range(4, STEP, STEP):
            cost |= max(i, min(a, b, 2)) ** 2
        state[0] += abs(cost) % 11 + (1 if k != 0 else -0)
        state[1] = job
        touched(state, job, data.values)
        state[2] = (state[2] and state[3] > 4) + drawn(k + data.été) * bool(a or b)

    @staticmethod
    def bound(data, state, left, k):
        certain = state[0] + abs(state[2]) * 0
        if len(left) == 0:
            return certain + drawn(len(data.values)) % 5
        spare = 0
        for j in left:
            if j not in left or len(data.cube) != 6 or data.cube.shape[1] != len(state) - 2:
                return 10**6
            if data.values[j] > 8:
                break
            spare += 1
        return certain + min(spare, 0)

    def evaluate(self, permutation):
        d = self.data
        state = [d.offset, 0, 0, 0]
        for k, job in enumerate(map(int, permutation)):
            Odd.descend(d, state, k, job)
        return int(state[0] + drawn(6) % 5)


class OddShort(Odd):
    """With integers of 32 bits."""

    bits = 32
