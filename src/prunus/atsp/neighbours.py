"""Which cities are near: the nearest ones, and where these are all in one cluster some of others.

A tour leads from each cluster to others. Where the nearest cities of all cities of a cluster are in
it as well, nothing that looks at near cities alone would ever exchange the arcs between clusters.
"""

from __future__ import annotations

import numpy as np

from prunus.model.arrays import Int64Array

OTHERS = 4
"""So many of the nearest other clusters have a city that is near."""


def clusters(near: Int64Array) -> Int64Array:
    """Return the number of each city's cluster: all that a chain of near cities joins is one."""
    n = len(near)
    joined = np.zeros((n, n), np.bool_)
    np.put_along_axis(joined, near, True, axis=1)
    joined |= joined.T
    cluster, count = np.full(n, -1), 0
    for city in range(n):
        if cluster[city] >= 0:
            continue
        fresh = np.array([city])
        while len(fresh):
            cluster[fresh] = count
            fresh = np.flatnonzero(joined[fresh].any(0) & (cluster < 0))
        count += 1
    return cluster


def nearest_elsewhere(nearness: Int64Array, near: Int64Array) -> Int64Array:
    """Return for each city the nearest one in each of the nearest other clusters.

    ``nearness``, shape (cities, cities), is less the nearer a city is to the row's; ``near`` are
    the nearest ones of each, which make the clusters. There is no column if there is one cluster.
    """
    cluster = clusters(near)
    count = int(cluster.max()) + 1
    others = min(OTHERS, count - 1)
    found = np.zeros((len(near), others), np.int64)
    if others:
        order = np.argsort(cluster, kind="stable")
        begin = np.searchsorted(cluster[order], np.arange(count))
        away = np.minimum.reduceat(nearness[:, order], begin, axis=1).astype(np.float64)
        away[np.arange(len(near)), cluster] = np.inf
        where = np.argpartition(away, others - 1, axis=1)[:, :others]
        for number, members in enumerate(np.split(order, begin[1:])):
            row, column = np.nonzero(where == number)
            found[row, column] = members[nearness[np.ix_(row, members)].argmin(1)]
    return found
