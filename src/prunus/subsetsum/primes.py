"""Primes below 2**64."""

from __future__ import annotations


def prime_from(number: int) -> int:
    """Return the least prime that is not below a number."""
    while not is_prime(number):
        number += 1
    return number


def prime_below(number: int) -> int:
    """Return the largest prime below a number from 3."""
    number -= 1
    while not is_prime(number):
        number -= 1
    return number


def is_prime(number: int) -> bool:
    """Test by Miller and Rabin, with bases that decide all numbers below 2**64."""
    if number < 2:
        return False
    bases = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
    if any(number % base == 0 for base in bases):
        return number in bases
    if number < 41 * 41:
        return True
    odd = number - 1
    twos = (odd & -odd).bit_length() - 1
    odd >>= twos
    for base in bases:
        power = pow(base, odd, number)
        if power in (1, number - 1):
            continue
        for _ in range(twos - 1):
            power = power * power % number
            if power == number - 1:
                break
        else:
            return False
    return True
