"""Seeds of native generators of random numbers (SplitMix64, ``src/native/random.hpp``)."""

from __future__ import annotations

from hashlib import blake2b


def generator_seed(seed: int, stream: int = 0) -> int:
    """Return the state, of 64 bits, with which a generator begins.

    The same seed, any integer, gives the same numbers; different streams of one seed, e.g. one a
    thread, give unrelated ones. (``numpy.random`` takes 30 ms to load.)
    """
    digest = blake2b(f"{seed} {stream}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little")
