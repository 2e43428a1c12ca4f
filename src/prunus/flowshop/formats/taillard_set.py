"""Taillard's 120 flow-shop instances, generated from the time seeds that he published.

E. Taillard, Benchmarks for basic scheduling problems, European Journal of Operational Research 64
(1993) 278-285.
"""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from prunus.errors import InputError
from prunus.flowshop.problem import FlowShop

MODULUS = 2**31 - 1
MAX_TIMES = 10**6

SIZES = (
    *((20, 5), (20, 10), (20, 20), (50, 5), (50, 10), (50, 20)),
    *((100, 5), (100, 10), (100, 20), (200, 10), (200, 20), (500, 20)),
)
"""Jobs and machines of each group of ten: ta001–ta010, ta011–ta020, …"""

# Five instances a line; "time seed,best-known makespan".
_TABLE = """
873654221,1278 379008056,1359 1866992158,1081 216771124,1293 495070989,1235
402959317,1195 1369363414,1234 2021925980,1206 573109518,1230 88325120,1108
587595453,1582 1401007982,1659 873136276,1496 268827376,1377 1634173168,1419
691823909,1397 73807235,1484 1273398721,1538 2065119309,1593 1672900551,1591
479340445,2297 268827376,2099 1958948863,2326 918272953,2223 555010963,2291
2010851491,2226 1519833303,2273 1748670931,2200 1923497586,2237 1829909967,2178
1328042058,2724 200382020,2834 496319842,2621 1203030903,2751 1730708564,2863
450926852,2829 1303135678,2725 1273398721,2683 587288402,2552 248421594,2782
1958948863,2991 575633267,2867 655816003,2839 1977864101,3063 93805469,2976
1803345551,3006 49612559,3093 1899802599,3037 2013025619,2897 578962478,3065
1539989115,3846 691823909,3699 655816003,3640 1315102446,3719 1949668355,3610
1923497586,3679 1805594913,3704 1861070898,3691 715643788,3741 464843328,3755
896678084,5493 1179439976,5268 1122278347,5175 416756875,5014 267829958,5250
1835213917,5135 1328833962,5246 1418570761,5094 161033112,5448 304212574,5322
1539989115,5770 655816003,5349 960914243,5676 1915696806,5781 2013025619,5467
1168140026,5303 1923497586,5595 167698528,5617 1528387973,5871 993794175,5845
450926852,6171 1462772409,6183 1021685265,6252 83696007,6254 508154254,6285
1861070898,6329 26482542,6223 444956424,6357 2115448041,6246 118254244,6404
471503978,10862 1215892992,10480 135346136,10922 1602504050,10889 160037322,10524
551454346,10329 519485142,10854 383947510,10730 1968171878,10438 540872513,10675
2013025619,11158 475051709,11160 914834335,11281 810642687,11275 1019331795,11259
2056065863,11176 1342855162,11337 1325809384,11301 1988803007,11146 765656702,11284
1368624604,26040 450181436,26500 1927888393,26371 1759567256,26456 606425239,26334
19268348,26469 1298201670,26389 2041736264,26560 379756761,26005 28837162,26457
"""

_ROWS = [tuple(map(int, pair.split(","))) for pair in _TABLE.split()]

TIME_SEEDS = MappingProxyType({f"ta{k:03}": seed for k, (seed, _) in enumerate(_ROWS, 1)})
"""The generator's initial seed of each instance, by name."""

BEST_KNOWN = MappingProxyType({f"ta{k:03}": best for k, (_, best) in enumerate(_ROWS, 1)})
"""A published upper bound on the optimal makespan of each instance, by name.

Copied from one public table, not proven here: published tables disagree with one another on ta053,
ta055, ta059 and ta081, and some give lower values there. Use them to compare, not as optima.
"""


def size(name: str) -> tuple[int, int]:
    """Jobs and machines of an instance such as ``"ta056"``."""
    return SIZES[(int(name[2:]) - 1) // 10]


def instance(name: str) -> FlowShop:
    """Generate one of ``"ta001"`` to ``"ta120"``."""
    return FlowShop(random_times(*size(name), TIME_SEEDS[name]), name=name)


def random_times(jobs: int, machines: int, seed: int) -> NDArray[np.int64]:
    """Draw processing times as Taillard does, uniform in 1..99, machine by machine.

    The generator is Lehmer's with multiplier 16807 modulo 2**31 - 1. (Schrage's decomposition,
    which the paper gives, computes the same products without a 64-bit integer.) The value 1 +
    floor(99 seed / (2**31 - 1)) is computed in integers; floating-point arithmetic gives the same,
    its error being far below 1 / (2**31 - 1).

    There are at most a million of them; seeds are 1 to 2**31 - 2. Raises ``InputError`` if the size
    or the seed is out of range.
    """
    if jobs < 1 or machines < 1 or jobs * machines > MAX_TIMES:
        raise InputError(
            f"a generated flow shop has at least 1 job and 1 machine and at most {MAX_TIMES:,} "
            f"processing times, got {jobs} jobs and {machines} machines"
        )
    if not 1 <= seed < MODULUS:
        raise InputError(f"the seed of Taillard's generator is from 1 to 2**31 - 2, got {seed}")
    values = []
    for _ in range(jobs * machines):
        seed = 16807 * seed % MODULUS
        values.append(1 + 99 * seed // MODULUS)
    by_machine = np.array(values, dtype=np.int64).reshape(machines, jobs)
    return np.ascontiguousarray(by_machine.T)
