"""Primes: those of the sieve of Eratosthenes, and numbers that fool weaker tests."""

from __future__ import annotations

from prunus.subsetsum.primes import is_prime, prime_below, prime_from


def test_small_primes_are_those_of_the_sieve() -> None:
    """Up to ten thousand; the next and the one before of every number."""
    sieve = [False, False, *[True] * 9999]
    for number in range(2, 101):
        sieve[number * number :: number] = [False] * len(sieve[number * number :: number])
    assert [is_prime(number) for number in range(len(sieve))] == sieve
    primes = [number for number, prime in enumerate(sieve) if prime]
    for number in range(3, 9000):
        assert prime_from(number) == next(p for p in primes[number // 10 :] if p >= number)
    assert [prime_from(0), prime_below(3), prime_below(9967)] == [2, 2, 9949]


def test_large_numbers_that_fool_weak_tests() -> None:
    """Carmichael numbers, products of two large primes, strong pseudoprimes to many bases."""
    fools = (561, 3215031751, 3825123056546413051, (2**31 - 1) * (2**31 - 19), 2**62 - 1)
    assert not any(map(is_prime, fools))
    assert all(map(is_prime, (2**31 - 1, 2**61 - 1, 2**62 - 57, 2**63 - 25)))
