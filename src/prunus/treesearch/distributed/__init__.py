"""Tree search between machines, over any ``concurrent.futures.Executor``.

A coordinator hands out work units, which are pure functions of what they are given. One that is
lost, repeated or answered late changes nothing, since a result counts when it comes, once.
"""

from prunus.treesearch.distributed.coordinator import Coordinator

__all__ = ["Coordinator"]
