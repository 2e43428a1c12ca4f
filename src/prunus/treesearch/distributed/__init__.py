"""Tree search between machines, over any ``concurrent.futures.Executor``.

A coordinator hands out slices, which are pure functions of what they are given. One that is lost,
repeated or answered late changes nothing, since an answer counts when it comes, once.
"""

from prunus.treesearch.distributed.cluster import Cluster

__all__ = ["Cluster"]
