"""Values, items, states and bounds of every method of knapsacks."""

import numpy as np

from prunus._native import knapsack as native
from prunus.knapsack.formats.classes import CLASSES, generate


def answers():
    """Return what every kernel answers on instances of all classes."""
    found = []
    for kind in CLASSES:
        problem = generate(kind, 300, 10**6, 50, kind)
        reduced = native.Reduced(problem.weights, problem.profits, problem.capacity)
        items = reduced.items
        root = native.Relaxation(items)
        lattice = native.lattice_of(items)
        greedy = root.greedy(0)
        assert greedy is not None
        tight = root.tightened(greedy.value)
        found.append([root.bound, root.limit(lattice, greedy.value), len(items.bundled())])
        found.append([0, 0] if tight is None else [tight.bound, tight.multiplier])
        for relaxation in (root, tight or root):
            core = native.ExpandingCore(relaxation, greedy.value)
            core.advance(20_000, 1 << 28)
            found.append([core.value, core.states, core.bound(), core.size])
            lists = native.TwoLists(core)
            lists.advance(100_000, 1 << 28, None, 2, 1000, 3000)
            found.append([lists.value, lists.states, lists.bound(), lists.size])
            if lists.improved:
                found.append(lists.chosen().items.tolist())
        fixing = native.fix_outside_in(root, greedy.value, 1 << 28, 10_000, 300_000)
        found.append([fixing.value, fixing.states, fixing.limit, fixing.done])
        best = fixing.chosen() if fixing.improved else greedy
        found.append(reduced.expand(items, best).tolist())
    rng = np.random.default_rng(3)
    for noise in (3, 90):
        w = 10**6 * 3 ** rng.integers(0, 4, 60) + rng.integers(0, noise, 60)
        groups = native.classify(native.Items(w, w + rng.integers(0, noise, 60), int(w.sum()) // 3))
        assert groups is not None
        counted = groups.search(0, 1 << 50)
        found.append([counted.value, counted.limit, counted.sums, counted.vectors])
        found.append(counted.chosen().items.tolist())
    w = rng.integers(1, 400, 100)
    for limit in (10**6, 1 << 40):
        limits = native.DenseLimits(2, 1 << 28, limit, 500, 3000, shared_cells=0)
        found.append(native.dense_choice(w, w + 50, int(w.sum()) // 2, limits)[1].tolist())
        found.append(native.dense_profile(w, w + 50, 3000, limits)[1].tolist())
    return found
