"""What a beam search orders nodes by: the lower bound, made larger by idle time.

With B the lower bound of a child, I the sum over the machines of the share of idle time so far, at
the head and at the tail, and α the share of jobs that are fixed, the least values are kept of

``B (1 + w (1 − α) I)``.

An early level looks at idle time, a late one at the bound. How much idle time counts, the weight w,
depends on the shop: the more jobs a machine has, the nearer the makespan is to the machine's load,
and the less; wide beams want less of it than narrow ones. Beams tell which weight suits an instance
(``treesearch/beam/iterate.py``): of 20 machines .2 to .05 with 50 jobs, .1 to .03 with 100, .01
with 200 and .001 with 500. The guides of
Libralesso, Focke, Secardin and Jost (2022) are two points of the same line, or nearly: their
``walpha`` is a large weight, their ``gap`` orders by the bound, and of equal bounds by idle time.

While a side is empty, all of its machines' time counts as idle. Otherwise one side would be filled
before the other is begun, since the idle time of one side is less than that of two; and with such
nodes taken last of all, as published, shops where the first jobs have few children on one side have
nothing to be ordered by.
"""

from __future__ import annotations

from prunus.treesearch.beam.iterate import BeamTuning

WEIGHTS = (0.0005, 0.002, 0.008, 0.032, 0.128, 0.512, 2.048)
"""Weights of idle time among which narrow beams choose; what lies between is looked at later."""

TUNING = BeamTuning(WEIGHTS)
