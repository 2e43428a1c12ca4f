// Random numbers: the same seed gives the same numbers on every instruction set.
//
// SplitMix64 (Steele, Lea and Flood 2014, Fast splittable pseudorandom number generators, OOPSLA):
// a state of one word, passes BigCrush, and every seed starts a good sequence. Seeds are made by
// `prunus.model.seeds`.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

namespace prunus::PRUNUS_SET {

/// Spreads the bits of a number over all 64 (SplitMix64's finalizer).
constexpr std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}

struct Random {
    std::uint64_t state;

    std::uint64_t next() { return mixed(state += 0x9e3779b97f4a7c15); }

    /// A whole number from 0 to n - 1, n at most 2^32 (biased by at most n / 2^32).
    std::int64_t below(std::int64_t n) {
        return static_cast<std::int64_t>(((next() >> 32) * static_cast<std::uint64_t>(n)) >> 32);
    }

    /// True with the probability exp(-x), x not negative.
    bool with_chance_exp(double x) {
        // exp(-x) = 2^-whole exp(-rest); the library's own differs from processor to processor.
        constexpr double ln2 = 0.693147180559945309417;
        const double drawn = static_cast<double>(next() >> 11) * 0x1p-53;
        if (!(x < 40)) return false;
        const int whole = static_cast<int>(x / ln2);
        const double rest = x - whole * ln2;
        double term = 1, sum = 1;
        for (int k = 1; k < 16; k++) sum += term *= -rest / k;
        return drawn * static_cast<double>(std::uint64_t{1} << whole) < sum;
    }

    /// A number of the exponential distribution with mean 1.
    double exponential() {
        // -ln(u); the library's own differs from processor to processor.
        constexpr double ln2 = 0.693147180559945309417;
        int exponent = 0;
        const double mantissa = std::frexp(static_cast<double>(1 + (next() >> 32)), &exponent);  // in [1/2, 1)
        const double t = (1 - mantissa) / (1 + mantissa);  // ln(mantissa) = -2 artanh(t), t up to 1/3
        double sum = 0;
        for (int k = 27; k > 0; k -= 2) sum = sum * t * t + 1.0 / k;
        return (32 - exponent) * ln2 + 2 * t * sum;
    }

    /// Puts `count` values in a random order.
    template <class T>
    void shuffle(T* values, std::int64_t count) {
        for (std::int64_t k = 0; k + 1 < count; k++) std::swap(values[k], values[k + below(count - k)]);
    }
};

}  // namespace prunus::PRUNUS_SET
