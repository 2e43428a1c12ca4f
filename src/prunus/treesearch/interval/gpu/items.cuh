// Sets of items (jobs, cities, columns) as WORDS words of bits, in registers where they are short.
#pragma once

#define ROUND4(x) (((x) + 3) / 4 * 4)
constexpr int WORDS = (LEVELS + 31) / 32;
constexpr int ITEM_SETS = WORDS <= 2 ? WORDS : 1; // how far loops over words are unrolled

// The position of the r-th set bit of a word.
DEVICE int nth_bit(u32 word, int r)
{
    int position = 0;
#pragma unroll
    for (int step = 16; step; step >>= 1) {
        int c = __popc((word >> position) & ((1u << step) - 1));
        if (r >= c) { r -= c; position += step; }
    }
    return position;
}

DEVICE int count_items(const u32* set)
{
    int c = 0;
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) c += __popc(set[w]);
    return c;
}

// The r-th item of a set.
DEVICE int nth_item(const u32* set, int r)
{
    int item = 0;
    bool found = false;
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) {
        int c = __popc(set[w]);
        if (!found && r < c) { item = w * 32 + nth_bit(set[w], r); found = true; }
        r -= c;
    }
    return item;
}

// The items of word w that are below `item`.
DEVICE u32 below(int w, int item)
{
    int b = item - w * 32;
    return b <= 0 ? 0u : b >= 32 ? 0xffffffffu : (1u << b) - 1;
}
