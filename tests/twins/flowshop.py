"""The flow-shop tree in plain Python: node states, bounds, branching rules, a recursive search.

Slow and obvious, written from the definitions and from no kernel. A node is the tuple of the jobs
fixed at the front and the tuple of those fixed at the back, both in the order of the schedule.
"""

from __future__ import annotations

from itertools import combinations, permutations
from typing import NamedTuple

FRONT, BACK = 0, 1
RULES = ("forward", "alternate", "minbranch", "minmin", "maxsum")
BOUNDS = ("lb1", "lb2", "mixed")


class State(NamedTuple):
    """What the bounds know of a node; one value a machine."""

    front: tuple[int, ...]
    back: tuple[int, ...]
    remain: tuple[int, ...]


def completion(p, jobs, start):
    """When each machine is free after ``jobs``, if it is free at ``start`` before them."""
    free = list(start)
    for j in jobs:
        t = 0
        for k in range(len(free)):
            t = max(t, free[k]) + p[j][k]
            free[k] = t
    return tuple(free)


def makespan(p, schedule):
    """When the last machine has finished the last job."""
    return completion(p, schedule, [0] * len(p[0]))[-1]


def mirrored(p):
    """The instance with the order of the machines turned round."""
    return [row[::-1] for row in p]


def unscheduled(p, prefix, suffix):
    """The jobs not fixed yet, by index."""
    return [j for j in range(len(p)) if j not in prefix and j not in suffix]


def state(p, prefix=(), suffix=()):
    """The state after fixing a prefix and a suffix."""
    jobs, machines = range(len(p)), range(len(p[0]))
    heads = [min(sum(p[j][:k]) for j in jobs) for k in machines]
    tails = [min(sum(p[j][k + 1 :]) for j in jobs) for k in machines]
    front = completion(p, prefix, heads)
    back = completion(mirrored(p), suffix[::-1], tails[::-1])[::-1]
    free = unscheduled(p, prefix, suffix)
    return State(front, back, tuple(sum(p[j][k] for j in free) for k in machines))


def child(prefix, suffix, job, direction):
    """The prefix and the suffix of a child."""
    return ((*prefix, job), suffix) if direction == FRONT else (prefix, (job, *suffix))


def lb1(p, prefix, suffix, job, direction):
    """LB1 of the child in which ``job`` comes next in ``direction``."""
    front, back, remain = state(p, prefix, suffix)
    if direction == BACK:
        p = mirrored(p)
        front, back, remain = back[::-1], front[::-1], remain[::-1]
    t = lb = 0
    for k in range(len(front)):
        s = max(t, front[k])
        lb = max(lb, s + remain[k] + back[k])
        t = s + p[job][k]
    return lb


def johnson(times):
    """Johnson's order of the jobs ``{job: (a, b)}`` on two machines."""
    first = sorted((a, j) for j, (a, b) in times.items() if a <= b)
    last = sorted((-b, j) for j, (a, b) in times.items() if a > b)
    return [j for _, j in first + last]


def two_machines(p, jobs, u, v):
    """Each job's time on machine u, its lag, and its time on machine v."""
    return {j: (p[j][u], sum(p[j][u + 1 : v]), p[j][v]) for j in jobs}


def lb2_of_node(p, prefix, suffix):
    """LB2: on each pair of machines, Johnson's schedule of the jobs not fixed yet."""
    front, back, _ = state(p, prefix, suffix)
    free = unscheduled(p, prefix, suffix)
    best = 0
    for u, v in combinations(range(len(front)), 2):
        steps = two_machines(p, free, u, v)
        t0, t1 = front[u], front[v]
        for j in johnson({j: (a + lag, lag + b) for j, (a, lag, b) in steps.items()}):
            a, lag, b = steps[j]
            t0 += a
            t1 = max(t1, t0 + lag) + b
        best = max(best, t1 + back[v], t0 + back[u])
    return best


def lb2(p, prefix, suffix, job, direction):
    """LB2 of the child in which ``job`` comes next in ``direction``."""
    return lb2_of_node(p, *child(prefix, suffix, job, direction))


def optimum(p, prefix=(), suffix=()):
    """The least makespan of all schedules below a node, by trying them all."""
    middles = permutations(unscheduled(p, prefix, suffix))
    return min(makespan(p, prefix + middle + suffix) for middle in middles)


def choose(rule, level, front_bounds, back_bounds, ub):
    """The direction in which a node is branched, from the bounds of all unscheduled jobs.

    Further ties go to the larger sum of bounds (not for forward and alternate), then to the front.
    """
    sides = (front_bounds, back_bounds)
    if rule == "forward":
        return FRONT
    if rule == "alternate":
        return level % 2
    first = [0, 0]
    if rule == "minbranch":
        first = [sum(b < ub for b in side) for side in sides]
    if rule == "minmin":
        least = min(*front_bounds, *back_bounds)
        first = [side.count(least) for side in sides]
    return min((FRONT, BACK), key=lambda d: (first[d], -sum(sides[d]), d))


def bounds(p, prefix, suffix, direction, bound, ub):
    """The bounds that the branching rule sees; where LB2 prunes, exactly ``ub``."""
    values = []
    for job in unscheduled(p, prefix, suffix):
        value = lb1(p, prefix, suffix, job, direction)
        if bound == "lb2" and value < ub:
            value = max(value, min(ub, lb2(p, prefix, suffix, job, direction)))
        values.append(value)
    return values


class Found(NamedTuple):
    """The outcome of a search: ``schedule`` is None if none beats the upper bound."""

    branched: int
    makespan: int
    schedule: tuple[int, ...] | None


def search(p, ub, bound="lb1", rule="minbranch"):
    """Depth-first branch and bound, children by index; strict pruning, the root counted."""
    branched, best, schedule = 0, ub, None

    def visit(prefix, suffix):
        nonlocal branched, best, schedule
        branched += 1
        sides = [bounds(p, prefix, suffix, d, bound, best) for d in (FRONT, BACK)]
        direction = choose(rule, len(prefix) + len(suffix), *sides, best)  # type: ignore[call-arg]
        free = unscheduled(p, prefix, suffix)
        values = list(sides[direction])
        if bound == "mixed":
            for i, job in enumerate(free):
                if values[i] < best:
                    values[i] = max(values[i], lb2(p, prefix, suffix, job, direction))
        for job, value in zip(free, values, strict=True):
            if value >= best:
                continue
            if len(free) == 1:
                best, schedule = value, (*prefix, job, *suffix)
            else:
                visit(*child(prefix, suffix, job, direction))

    visit((), ())
    return Found(branched, best, schedule)
