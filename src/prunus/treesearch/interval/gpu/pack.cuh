// Entries as intervals, in the form in which they are sent; the opposite of `replay`. One lane an entry
// of `out`, of which only head and path need be there.
#pragma once

constexpr int DIGIT_BYTES = PATH_BYTES, DIRECTION_BYTES = (LEVELS + 7) / 8;

// How many items of a set come before one.
DEVICE int rank_of(const u32* set, int item)
{
    int rank = 0;
    for (int w = 0; w < WORDS; w++) rank += __popc(set[w] & below(w, item));
    return rank;
}

// First how long the paths are, and the ends.
KERNEL(128, 1) write_ends(Search* s)
{
    const i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s->intervals) return;
    const u32* entry = s->out + i * s->out_words;
    const int level = (int)(entry[0] & 0xffffu);
    s->depth[i] = (u16)(level + 1);
    s->end_level[i] = (u16)level;
    const int last = nth_item(entry + WAITING, count_items(entry + WAITING) - 1);
    s->end_digit[i] = (u16)(rank_of(entry + FREE, last) + 1);
}

// Then the paths, one after another.
KERNEL(128, 1) write_paths(Search* s)
{
    const i64 i = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s->intervals) return;
    const u32* entry = s->out + i * s->out_words;
    const u32* path = entry + HEAD_WORDS;
    const int level = (int)(entry[0] & 0xffffu);
    u8* digits = s->digits + (u64)s->starts[i] * DIGIT_BYTES;
    u32 free[WORDS], directions[WORDS];
    for (int w = 0; w < WORDS; w++) {
        free[w] = below(w, LEVELS);
        directions[w] = entry[DIRECTIONS + w];
    }
    int behind = 0;
    for (int d = 0; d <= level; d++) {
        const bool back = directions[d / 32] >> (d & 31) & 1;
        const int item = d == level ? nth_item(entry + WAITING, 0)
                                    : path_read(path, back ? LEVELS - 1 - behind : d - behind);
        behind += back;
        const int digit = rank_of(free, item);
        digits[d * DIGIT_BYTES] = (u8)digit;
        if (DIGIT_BYTES == 2) digits[d * 2 + 1] = (u8)(digit >> 8);
        for (int w = 0; w < WORDS; w++) free[w] &= ~(below(w, item + 1) & ~below(w, item));
    }
    u8* bits = s->directions + (u64)i * DIRECTION_BYTES;
    directions[level / 32] |= (entry[0] >> 16) << (level & 31);
    for (int b = 0; b < DIRECTION_BYTES; b++) bits[b] = (u8)(directions[b / 4] >> 8 * (b & 3));
}
