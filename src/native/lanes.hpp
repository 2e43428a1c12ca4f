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
#include <utility>

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
        // a register at a time: GCC copies a whole array by way of the stack
        for (int i = 0; i < registers; i++) std::memcpy(&lanes.part[i], from + i * per_register, register_bytes);
        return lanes;
    }

    static Lanes splat(T value) {
        Lanes lanes;
        for (auto& p : lanes.part) p = value - Register<T>{};
        return lanes;
    }

    /// Values of another type.
    template <class U>
    static Lanes from(const U* values) {
        using Part [[gnu::vector_size(per_register * sizeof(U))]] = U;
        Lanes lanes;
        for (int i = 0; i < registers; i++) {
            Part part;
            std::memcpy(&part, values + i * per_register, sizeof part);
            lanes.part[i] = __builtin_convertvector(part, Register<T>);
        }
        return lanes;
    }

    /// The same values in another type, towards zero.
    template <class U>
    Lanes<U, N> to() const {
        T values[N];
        store(values);
        return Lanes<U, N>::from(values);
    }

    void store(T* to) const {
        for (int i = 0; i < registers; i++) std::memcpy(to + i * per_register, &part[i], register_bytes);
    }

    /// Stores every value twice, one after the other.
    void store_twice(T* to) const {
        [&]<int... I>(std::integer_sequence<int, I...>) {
            for (int i = 0; i < registers; i++) {
                const Register<T> low = __builtin_shufflevector(part[i], part[i], (I / 2)...);
                const Register<T> high = __builtin_shufflevector(part[i], part[i], (per_register / 2 + I / 2)...);
                std::memcpy(to + 2 * i * per_register, &low, register_bytes);
                std::memcpy(to + (2 * i + 1) * per_register, &high, register_bytes);
            }
        }(std::make_integer_sequence<int, per_register>{});
    }

    /// A value of 16 bits that is stored twice: 32 bits are read into all lanes without a permutation.
    static Lanes splat_pair(const T* pair) {
        std::int32_t both;
        std::memcpy(&both, pair, sizeof both);
        Lanes lanes;
        for (auto& p : lanes.part) p = (Register<T>)(both - Register<std::int32_t>{});
        return lanes;
    }

    friend Lanes operator+(Lanes a, Lanes b) {
        for (int i = 0; i < registers; i++) a.part[i] += b.part[i];
        return a;
    }

    friend Lanes operator-(Lanes a, Lanes b) {
        for (int i = 0; i < registers; i++) a.part[i] -= b.part[i];
        return a;
    }

    friend Lanes operator*(Lanes a, Lanes b) {
        for (int i = 0; i < registers; i++) a.part[i] *= b.part[i];
        return a;
    }

    friend Lanes operator/(Lanes a, Lanes b) {
        for (int i = 0; i < registers; i++) a.part[i] /= b.part[i];
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

    /// The values of `a` in the lanes whose bit is set, those of `b` elsewhere; for at most 64 lanes.
    static Lanes where(std::uint64_t bits, Lanes a, Lanes b) {
        for (int i = 0; i < registers; i++) {
            const std::uint64_t own = bits >> (i * per_register);
#if defined(__AVX512BW__)
            const auto x = (__m512i)a.part[i], y = (__m512i)b.part[i];
            if constexpr (sizeof(T) == 1) a.part[i] = (Register<T>)_mm512_mask_blend_epi8(own, y, x);
            if constexpr (sizeof(T) == 2)
                a.part[i] = (Register<T>)_mm512_mask_blend_epi16(static_cast<__mmask32>(own), y, x);
            if constexpr (sizeof(T) == 4)
                a.part[i] = (Register<T>)_mm512_mask_blend_epi32(static_cast<__mmask16>(own), y, x);
            if constexpr (sizeof(T) == 8)
                a.part[i] = (Register<T>)_mm512_mask_blend_epi64(static_cast<__mmask8>(own), y, x);
#else
            using U = std::make_unsigned_t<T>;
            const auto bit = []<int... J>(std::integer_sequence<int, J...>) {
                return Register<U>{static_cast<U>(U{1} << J)...};
            }(std::make_integer_sequence<int, per_register>{});
            static_assert(per_register <= static_cast<int>(8 * sizeof(U)));
            const Register<U> tested = (static_cast<U>(own) - Register<U>{}) & bit;
            a.part[i] = tested == bit ? a.part[i] : b.part[i];
#endif
        }
        return a;
    }

    /// row[i] for each lane's value i, which is not negative and below `size`, of whole registers.
    Lanes gathered(const T* row, int size) const {
#if defined(__AVX512BW__)
        if constexpr (sizeof(T) == 2 && N == 32) {
            if (size == N) {
                Lanes found;
                found.part[0] = (Register<T>)_mm512_permutexvar_epi16((__m512i)part[0], (__m512i)load(row).part[0]);
                return found;
            }
        }
#endif
        (void)size;
        T own[N], values[N];
        store(own);
        for (int i = 0; i < N; i++) values[i] = row[own[i]];
        return load(values);
    }

    /// The largest value of all lanes.
    T largest() const {
        T values[N];
        store(values);
        T most = values[0];
        for (int i = 1; i < N; i++) most = values[i] > most ? values[i] : most;
        return most;
    }

    /// The larger value of each lane by the name that scalars have in headers for cards and cores.
    friend Lanes later(Lanes a, Lanes b) { return max(a, b); }

    T lane(int i) const { return part[i / per_register][i % per_register]; }

    /// The lanes moved up by K places (down if `Down`); `fill` gives the new ones.
    template <int K, bool Down>
    Lanes moved(T fill) const {
        constexpr int whole = K / per_register, rest = K % per_register;
        const Register<T> filled = fill - Register<T>{};
        const auto at = [&](int i) { return i >= 0 && i < registers ? part[i] : filled; };
        Lanes lanes;
        for (int i = 0; i < registers; i++) {
            if constexpr (Down)
                lanes.part[i] = joined<rest>(at(i + whole), at(i + whole + 1));
            else if constexpr (rest == 0)
                lanes.part[i] = at(i - whole);
            else
                lanes.part[i] = joined<per_register - rest>(at(i - whole - 1), at(i - whole));
        }
        return lanes;
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
    /// The lanes from `First` on of two registers, one after the other.
    template <int First>
    static Register<T> joined(Register<T> a, Register<T> b) {
        return [&]<int... I>(std::integer_sequence<int, I...>) {
            return __builtin_shufflevector(a, b, (First + I)...);
        }(std::make_integer_sequence<int, per_register>{});
    }

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

/// For each lane the largest value up to it (from it on if `Down`).
template <bool Down, int Step = 1, class T, int N>
inline Lanes<T, N> running_max(Lanes<T, N> lanes) {
    if constexpr (Step >= N)
        return lanes;
    else
        return running_max<Down, 2 * Step>(max(lanes, lanes.template moved<Step, Down>(std::numeric_limits<T>::min())));
}

}  // namespace prunus::PRUNUS_SET
