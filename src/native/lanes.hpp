// Vector lanes: N values of one type, worked on together.
//
// GCC's and Clang's vector extensions, as many registers as N lanes take. A register is as wide as
// the instruction set has them, so that nothing is left to the compiler to take apart. Everything
// here is exact for integers; for floating point every lane does what scalar code would.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "wide.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace prunus::PRUNUS_SET {

#if defined(__AVX512BW__)
constexpr int register_bytes = 64;
#elif defined(__AVX2__)
constexpr int register_bytes = 32;
#else
constexpr int register_bytes = 16;
#endif

template <class T>
using Register [[gnu::vector_size(register_bytes)]] = T;

/// One bit a lane, the lowest for lane 0, of a comparison's register of all ones and all zeros.
template <class M>
inline std::uint64_t bits_of(M mask) {
    constexpr int size = sizeof(mask[0]);
#if defined(__AVX512BW__)
    if constexpr (size == 1) return _mm512_movepi8_mask((__m512i)mask);
    if constexpr (size == 2) return _mm512_movepi16_mask((__m512i)mask);
    if constexpr (size == 4) return _mm512_movepi32_mask((__m512i)mask);
    if constexpr (size == 8) return _mm512_movepi64_mask((__m512i)mask);
#elif defined(__AVX2__)
    const auto wide = (__m256i)mask;
    if constexpr (size == 1) return static_cast<std::uint32_t>(_mm256_movemask_epi8(wide));
    if constexpr (size == 2) {
        const __m256i narrow = _mm256_permute4x64_epi64(_mm256_packs_epi16(wide, wide), 0xd8);
        return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm256_castsi256_si128(narrow)));
    }
    if constexpr (size == 4) return static_cast<std::uint32_t>(_mm256_movemask_ps((__m256)wide));
    if constexpr (size == 8) return static_cast<std::uint32_t>(_mm256_movemask_pd((__m256d)wide));
#elif defined(__SSE2__)
    const auto wide = (__m128i)mask;
    if constexpr (size == 1) return static_cast<std::uint32_t>(_mm_movemask_epi8(wide));
    if constexpr (size == 2) return static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(wide, wide))) & 0xff;
    if constexpr (size == 4) return static_cast<std::uint32_t>(_mm_movemask_ps((__m128)wide));
    if constexpr (size == 8) return static_cast<std::uint32_t>(_mm_movemask_pd((__m128d)wide));
#else
    std::uint64_t bits = 0;
    for (int i = 0; i < static_cast<int>(sizeof(mask)) / size; i++) bits |= std::uint64_t{mask[i] != 0} << i;
    return bits;
#endif
}

/// N lanes of T; N times the size of T is a multiple of a register.
template <class T, int N>
struct Lanes {
    static constexpr int per_register = register_bytes / static_cast<int>(sizeof(T));
    static constexpr int registers = N / per_register;
    static_assert(registers * per_register == N);
    Register<T> part[registers];

    /// The values at an address, which need not be aligned.
    static Lanes load(const T* from) {
        Lanes lanes;
        std::memcpy(lanes.part, from, sizeof lanes.part);
        return lanes;
    }

    static Lanes splat(T value) {
        Lanes lanes;
        for (auto& p : lanes.part) p = value - Register<T>{};
        return lanes;
    }

    void store(T* to) const { std::memcpy(to, part, sizeof part); }

    friend Lanes operator+(Lanes a, Lanes b) {
        for (int i = 0; i < registers; i++) a.part[i] += b.part[i];
        return a;
    }

    friend Lanes operator-(Lanes a, Lanes b) {
        for (int i = 0; i < registers; i++) a.part[i] -= b.part[i];
        return a;
    }

    /// The smaller value of each lane; that of `b` where one is not a number.
    friend Lanes min(Lanes a, Lanes b) {
        for (int i = 0; i < registers; i++) a.part[i] = a.part[i] < b.part[i] ? a.part[i] : b.part[i];
        return a;
    }

    friend Lanes max(Lanes a, Lanes b) {
        for (int i = 0; i < registers; i++) a.part[i] = a.part[i] > b.part[i] ? a.part[i] : b.part[i];
        return a;
    }

    friend Lanes operator&(Lanes a, Lanes b) {
        for (int i = 0; i < registers; i++) a.part[i] &= b.part[i];
        return a;
    }

    /// All bits set in the lanes where x != y, none elsewhere.
    static Lanes where_unequal(Lanes x, Lanes y) {
        for (int i = 0; i < registers; i++) x.part[i] = x.part[i] != y.part[i] ? ~Register<T>{} : Register<T>{};
        return x;
    }

    /// The values of `a` in the lanes where x < y, those of `b` elsewhere.
    template <class U>
    static Lanes where_less(Lanes<U, N> x, Lanes<U, N> y, Lanes a, Lanes b) {
        static_assert(sizeof(U) == sizeof(T));
        for (int i = 0; i < registers; i++) a.part[i] = x.part[i] < y.part[i] ? a.part[i] : b.part[i];
        return a;
    }

    /// One bit a lane, set where a < b; for at most 64 lanes.
    friend std::uint64_t less(Lanes a, Lanes b) {
        static_assert(N <= 64);
        std::uint64_t bits = 0;
        for (int i = 0; i < registers; i++) bits |= bits_of(a.part[i] < b.part[i]) << (i * per_register);
        return bits;
    }

    /// One bit a lane, set where a == b; for at most 64 lanes.
    friend std::uint64_t equal(Lanes a, Lanes b) {
        static_assert(N <= 64);
        std::uint64_t bits = 0;
        for (int i = 0; i < registers; i++) bits |= bits_of(a.part[i] == b.part[i]) << (i * per_register);
        return bits;
    }

    /// The least value of all lanes, none of which is NaN.
    friend T least(Lanes a) {
        auto one = a.part[0];
        for (int i = 1; i < registers; i++) one = one < a.part[i] ? one : a.part[i];
        halve<per_register / 2>(one);
        return one[0];
    }

  private:
    /// Lets the lowest lane have the least value of the lowest 2 W.
    template <int W>
    static void halve(Register<T>& one) {
        using Places = Register<
            std::conditional_t<sizeof(T) == 8, std::int64_t,
                               std::conditional_t<sizeof(T) == 4, std::int32_t,
                                                  std::conditional_t<sizeof(T) == 2, std::int16_t, std::int8_t>>>>;
        Places from;
        for (int k = 0; k < per_register; k++) from[k] = static_cast<std::int8_t>(k ^ W);
        const Register<T> other = shuffled(one, from);
        one = one < other ? one : other;
        if constexpr (W > 1) halve<W / 2>(one);
    }

    template <class Places>
    static Register<T> shuffled(Register<T> one, Places from) {
#if defined(__clang__)
        Register<T> other;
        for (int k = 0; k < per_register; k++) other[k] = one[from[k]];
        return other;
#else
        return __builtin_shuffle(one, from);
#endif
    }
};

/// The same of 128-bit integers, one after the other.
template <int N>
struct Lanes<Wide, N> {
    using T = Wide;
    T part[N];

    static Lanes load(const T* from) {
        Lanes lanes;
        std::memcpy(lanes.part, from, sizeof lanes.part);
        return lanes;
    }

    static Lanes splat(T value) {
        Lanes lanes;
        for (auto& p : lanes.part) p = value;
        return lanes;
    }

    void store(T* to) const { std::memcpy(to, part, sizeof part); }

    friend Lanes operator+(Lanes a, Lanes b) {
        for (int i = 0; i < N; i++) a.part[i] += b.part[i];
        return a;
    }

    friend Lanes operator-(Lanes a, Lanes b) {
        for (int i = 0; i < N; i++) a.part[i] -= b.part[i];
        return a;
    }

    friend Lanes min(Lanes a, Lanes b) {
        for (int i = 0; i < N; i++) a.part[i] = a.part[i] < b.part[i] ? a.part[i] : b.part[i];
        return a;
    }

    friend Lanes max(Lanes a, Lanes b) {
        for (int i = 0; i < N; i++) a.part[i] = a.part[i] > b.part[i] ? a.part[i] : b.part[i];
        return a;
    }

    static Lanes where_less(Lanes x, Lanes y, Lanes a, Lanes b) {
        for (int i = 0; i < N; i++) a.part[i] = x.part[i] < y.part[i] ? a.part[i] : b.part[i];
        return a;
    }

    friend std::uint64_t equal(Lanes a, Lanes b) {
        std::uint64_t bits = 0;
        for (int i = 0; i < N; i++) bits |= std::uint64_t{a.part[i] == b.part[i]} << i;
        return bits;
    }

    friend T least(Lanes a) {
        T found = a.part[0];
        for (int i = 1; i < N; i++) found = found < a.part[i] ? found : a.part[i];
        return found;
    }
};

}  // namespace prunus::PRUNUS_SET
