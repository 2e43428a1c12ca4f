"""Points on cores, with a tree in place of all pairs: what is offered and proven on the way."""

from __future__ import annotations

from typing import Any

import numpy as np

from prunus.assignment.certificate import HostCertificate
from prunus.assignment.exact.dual_bound import sum_of_prices
from prunus.assignment.points.orders import tree_orders
from prunus.assignment.points.solver import PointSolver
from prunus.hardware import clock

_POINT_S = 3e-7
"""About how many seconds a point it takes to make trees of points that are in order, and then to
answer."""

_OFFERS = 20
"""At most one part in so many of the time goes into assignments that an auction has half ready."""

_FEW_POINTS = 30_000
"""All pairs of so many can be looked at."""


def solve_points(certificate: HostCertificate, statistics: dict[str, Any]) -> bool:
    """Solve where a tree tells which columns are near a row; return whether that was right."""
    prepared, monitor, threads = certificate.prepared, certificate.monitor, certificate.threads
    values, count = prepared.values, prepared.rows
    sets = values.left, values.right.T
    *orders, ordered = tree_orders(*sets, lambda: monitor.time_left > _POINT_S * count)
    if monitor.limited:
        column = np.empty(prepared.rows, np.int64)
        column[orders[0]] = orders[1]
        certificate.offer(column, "order of space")
    if not ordered:
        certificate.poll("order of space", force=True)
        return True
    points = PointSolver(
        *sets, (orders[0], orders[1]), values.metric, threads, bounded=monitor.limited
    )
    next_offer = 0.0
    for phase in points.steps():
        began = clock.seconds()
        ready = phase == "auction" and points.nearly_complete and began >= next_offer
        if phase == "checked" or (monitor.limited and (phase == "phase" or ready)):
            certificate.offer(points.column, "auction")
            now = clock.seconds()
            next_offer = now + _OFFERS * (now - began)
        if phase == "checked":
            certificate.improve_by_duals(points.best, points.prices)
        elif phase == "bound":
            certificate.improve_bound(*sum_of_prices(points.best, points.prices, integral=False))
        if certificate.poll(phase):
            break
        if phase == "far apart" and count <= _FEW_POINTS:
            return False
    statistics.update(points.figures())
    certificate.poll("certificate", force=True)
    return True
