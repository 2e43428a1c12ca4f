// The forward beam of a user's problem on a GPU. CUSTOM_CODE holds the translated functions, a guide if
// GUIDED; LEVELS items, NUMBER (with NUMBER_BYTES, LARGEST), STATE_SIZE, TABLE_WORDS, TABLES_SHARED, EAGER
// (constraints are looked at on the way) and RATE_BLOCKS are given to the compiler.
#include "hardware/cuda/portable.cuh"
#include "treesearch/interval/gpu/items.cuh"
#include "custom/gpu/parts.cuh"
CUSTOM_CODE
#include "custom/gpu/node.cuh"
#include "custom/gpu/costs.cuh"
#include "hardware/cuda/splitmix.cuh"
#include "treesearch/beam/gpu/layout.h"
#include "treesearch/beam/gpu/select.cuh"

DEVICE NUM guide_of(Node& node, const Tables& tables, const u32* own, const u32* all, int depth)
{
    State state = {node.state};
    const Free free = {own, all, LEVELS - depth};
    return custom_guide(tables, state, free, (NUM)depth);
}

DEVICE bool same_state(const Node& one, const Node& other)
{
    bool same = true;
    for (int k = 0; k < STATE_SIZE; k++) same = same && one.state[k] == other.state[k];
    return same;
}

DEVICE u64 state_print(const Node& node, const u64* salts)
{
    u64 mixture = 0;
    for (int k = 0; k < STATE_SIZE; k++) mixture += (u64)(i64)node.state[k] * salts[k];
    return mixture;
}

#include "treesearch/beam/gpu/forward.cuh"
