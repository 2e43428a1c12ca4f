"""A problem of your own: jobs on one machine; each late job costs its weight per day."""

from __future__ import annotations

import numpy as np

import prunus

TIME, COST = 0, 1  # the two integers of a node's state


def lateness(time, due):
    """Return how late something is; the functions of a class may call functions like this."""
    return max(0, time - due)


class WeightedTardiness(prunus.PermutationProblem):
    """1 || sum of w_j T_j: find the order of least total weighted tardiness."""

    objective_name = "weighted tardiness"

    def __init__(self, times, weights, due):
        data = {
            "times": times,
            "weights": weights,
            "due": due,
            "by_time": np.argsort(times, kind="stable"),
            "by_due": np.argsort(due, kind="stable"),
        }
        super().__init__(len(times), state=2, data=data)

    @staticmethod
    def descend(data, state, depth, item):
        """Append a job."""
        state[TIME] += data.times[item]
        state[COST] += data.weights[item] * lateness(state[TIME], data.due[item])

    @staticmethod
    def bound(data, state, free, depth):
        """Bound what the free jobs cost in two ways.

        Each is at least as late as if it were next. And whatever their order, the k-th of them is
        done no earlier than if the shortest came first; matching these times with the due dates in
        increasing order makes the total tardiness least, and each day costs at least the least
        weight.
        """
        if len(free) == 0:
            return state[COST]
        alone = together = k = 0
        time = state[TIME]
        least = data.weights[data.by_due[0]]
        for j in free:
            alone += data.weights[j] * lateness(state[TIME] + data.times[j], data.due[j])
            least = min(least, data.weights[j])
        for j in data.by_due:
            if j in free:
                while data.by_time[k] not in free:
                    k += 1
                time += data.times[data.by_time[k]]
                k += 1
                together += lateness(time, data.due[j])
        return state[COST] + max(alone, least * together)

    def evaluate(self, permutation):
        """Compute the same plainly: every answer is held against this."""
        time = cost = 0
        for job in permutation:
            time += int(self.data.times[job])
            cost += int(self.data.weights[job]) * max(0, time - int(self.data.due[job]))
        return cost


def instance(jobs, seed):
    """Draw an instance: due dates as tight as the machine is loaded."""
    rng = np.random.default_rng(seed)
    times = rng.integers(1, 30, jobs)
    due = rng.integers(1, max(2, times.sum()), jobs)
    return WeightedTardiness(times, rng.integers(1, 6, jobs), due)


if __name__ == "__main__":
    print(prunus.check(instance(7, seed=1)))
    print(prunus.solve(instance(13, seed=2)))
