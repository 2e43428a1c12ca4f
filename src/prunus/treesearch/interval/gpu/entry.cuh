// The unit of a pool: one branched node with the children that wait to be visited.
//
// It is one row of an IVM (integer vector, matrix) together with its path, as words:
//   [0]               depth of the node | direction of its children << 16
//   waiting[WORDS]    surviving children not yet visited, one bit an item
//   free[WORDS]       items not yet fixed at the node
//   directions[WORDS] direction taken at each level above the node
//   path              the fixed items: a prefix from the left, a suffix from the right
//   state             what the problem needs to go on (STATE_WORDS, a multiple of 4)
// Children are visited from the lowest item up and given away from the highest down, so what waits
// is always a node-aligned interval.
#pragma once

constexpr int PATH_BYTES = LEVELS > 256 ? 2 : 1;
constexpr int HEAD_WORDS = ROUND4(1 + 3 * WORDS);
constexpr int PATH_WORDS = ROUND4((LEVELS * PATH_BYTES + 3) / 4);
// An odd number of 16-byte pieces: equal parts of neighbouring entries lie in different banks.
constexpr int ENTRY_WORDS = ((HEAD_WORDS + PATH_WORDS + STATE_WORDS) / 4 | 1) * 4;
constexpr int WAITING = 1, FREE = 1 + WORDS, DIRECTIONS = 1 + 2 * WORDS;
constexpr int STATE = HEAD_WORDS + PATH_WORDS;
constexpr int COPY_SETS = WORDS <= 2 ? 8 : 1;

// Where the item fixed at the node's level goes in the path.
DEVICE int path_place(const u32* directions, int depth, int direction)
{
    int back = count_items(directions);
    return direction ? LEVELS - 1 - back : depth - back;
}

DEVICE void path_write(u32* path, int place, int item)
{
    u8* bytes = (u8*)path + place * PATH_BYTES;
    bytes[0] = (u8)item;
    if (PATH_BYTES == 2) bytes[1] = (u8)(item >> 8);
}

DEVICE int path_read(const u32* path, int place)
{
    const u8* bytes = (const u8*)path + place * PATH_BYTES;
    return PATH_BYTES == 2 ? bytes[0] | bytes[1] << 8 : bytes[0];
}

DEVICE void copy_words(u32* to, const u32* from, int words)
{
#pragma unroll COPY_SETS
    for (int i = 0; i < words; i += 4) *(uint4*)(to + i) = *(const uint4*)(from + i);
}

// Write a node with its waiting children. All arrays are the lane's own.
DEVICE void write_entry(u32* entry, int depth, int direction, const u32* waiting, const u32* free,
                        const u32* directions, const u32* path, const Node& node)
{
    alignas(16) u32 words[HEAD_WORDS];
    words[0] = (u32)depth | (u32)direction << 16;
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) {
        words[WAITING + w] = waiting[w];
        words[FREE + w] = free[w];
        words[DIRECTIONS + w] = directions[w];
    }
    for (int i = 1 + 3 * WORDS; i < HEAD_WORDS; i++) words[i] = 0;
    copy_words(entry, words, HEAD_WORDS);
    copy_words(entry + HEAD_WORDS, path, PATH_WORDS);
    write(node, entry + STATE);
}
