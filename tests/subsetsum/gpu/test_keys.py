"""Tables of sums for the kernels of the four lists."""

from __future__ import annotations

import random
import threading
from concurrent.futures import ThreadPoolExecutor

from prunus.subsetsum.gpu import keys as tables
from prunus.subsetsum.gpu.keys import KEY_PRIME, checks, packed
from tests.subsetsum.brute_force import all_sums


def test_tables_are_those_of_the_slow_twin() -> None:
    """Residues and keys of all subsets, added or taken away, moved by an offset; checks as well."""
    for seed in range(30):
        rng = random.Random(seed)
        weights = [rng.randint(1, 2 ** rng.choice([3, 40, 100])) for _ in range(rng.randint(0, 8))]
        modulus, sign, offset = (
            rng.choice([1, 97, 80_777]),
            rng.choice([1, -1]),
            rng.getrandbits(90),
        )
        sums = [offset + sign * total for total in all_sums(weights)]
        right = [total % modulus | total % KEY_PRIME << 32 for total in sums]
        assert packed(weights, modulus, sign, offset).tolist() == right
        right = [total * tables._SPREAD % 2**64 for total in sums]
        assert checks(weights, sign, offset).tolist() == right


def test_gpus_that_ask_at_the_same_time_get_the_same_tables() -> None:
    """They are made once, and nobody can change them."""
    weights, ready = [random.Random(1).getrandbits(60) for _ in range(14)], threading.Barrier(4)

    def ask(_):
        ready.wait()
        return packed(weights, 1009, -1), checks(weights, -1)

    with ThreadPoolExecutor(4) as pool:
        got = list(pool.map(ask, range(4)))
    for kind in zip(*got, strict=True):
        assert len({id(table) for table in kind}) == 1
        assert not kind[0].flags.writeable
