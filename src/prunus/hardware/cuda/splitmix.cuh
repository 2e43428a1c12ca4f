// Random bits from numbers.
#pragma once

// Spreads the bits of a number (Steele, Lea and Flood 2014, SplitMix64's finalizer).
DEVICE u64 mixed(u64 z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}
