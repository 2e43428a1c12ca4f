// What the translated functions of a user's problem are made of: numbers, arrays, a state, a set.
// NUM has NUMBER_BYTES bytes; STATE_SIZE numbers are a state.
#pragma once

typedef NUMBER NUM;

// As Python divides: the remainder has the sign of the divisor.
DEVICE NUM floor_div(NUM a, NUM b)
{
    if (b == 0) return 0; // an error in Python
    const NUM q = a / b;
    return q - (NUM)(q * b != a && (a < 0) != (b < 0));
}
DEVICE NUM floor_mod(NUM a, NUM b)
{
    if (b == 0) return 0;
    const NUM r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
DEVICE NUM power(NUM a, NUM n)
{
    NUM p = 1;
    for (; n > 0; n--) p *= a;
    return p;
}
DEVICE NUM min_of(NUM a, NUM b) { return b < a ? b : a; }
DEVICE NUM max_of(NUM a, NUM b) { return b > a ? b : a; }
DEVICE NUM abs_of(NUM a) { return a < 0 ? -a : a; }

// An index from the end is negative.
DEVICE int place(NUM i, int size) { return (int)i + ((int)i < 0 ? size : 0); }

template <class T, int A, int B = 1, int C = 1>
struct Array {
    const T* p;
    DEVICE NUM at(NUM i) const { return (NUM)p[(int)i]; }
    DEVICE NUM at(NUM i, NUM j) const { return (NUM)p[(int)i * B + (int)j]; }
    DEVICE NUM at(NUM i, NUM j, NUM k) const { return (NUM)p[((int)i * B + (int)j) * C + (int)k]; }
    DEVICE NUM get(NUM i) const { return at(place(i, A)); }
    DEVICE NUM get(NUM i, NUM j) const { return at(place(i, A), place(j, B)); }
    DEVICE NUM get(NUM i, NUM j, NUM k) const { return at(place(i, A), place(j, B), place(k, C)); }
};

struct State {
    NUM* p;
    DEVICE NUM& at(NUM i) const { return p[(int)i]; }
    DEVICE NUM& get(NUM i) const { return p[place(i, STATE_SIZE)]; }
};

// The items that are free, and those that any lane has free.
struct Free {
    const u32 *own, *all;
    int left;
    DEVICE bool has(NUM item) const
    {
        return item >= 0 && item < LEVELS && (own[(int)item >> 5] >> ((int)item & 31) & 1);
    }
    DEVICE NUM count() const { return left; }
};

// Visits them: each lane its own, or with TOGETHER all lanes what any of them has.
template <int TOGETHER>
struct Each {
    const Free& free;
    int w, i;
    u32 bits;
    NUM item;
    DEVICE Each(const Free& set) : free(set), w(-1), i(0), bits(0), item(0) {}
    DEVICE bool next()
    {
        while (!bits) {
            if (++w >= WORDS) return false;
            bits = TOGETHER ? free.all[w] : free.own[w];
        }
        i = __ffs(bits) - 1;
        bits &= bits - 1;
        item = w * 32 + i;
        return true;
    }
    DEVICE bool mine() const { return !TOGETHER || (free.own[w] >> i & 1); }
};

DEVICE i64 word_pair(const u32* words) { return (i64)((u64)words[1] << 32 | words[0]); }
