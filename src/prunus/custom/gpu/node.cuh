// A user's problem as the search sees it, made of the translated functions: Tables with fill_tables,
// custom_root, custom_descend and custom_cost.
#pragma once

constexpr int STATE_WORDS = ROUND4(STATE_SIZE * (NUMBER_BYTES / 4));
constexpr int SHARED_WORDS = TABLES_SHARED ? ROUND4(TABLE_WORDS) : 0;
constexpr int STATE_SETS = STATE_WORDS <= 64 ? STATE_WORDS / 4 : 1; // how far its copies are unrolled

struct Node {
    NUM state[STATE_SIZE];
};

DEVICE Tables load_tables(const u32* from, u32* shared)
{
    Tables tables;
    if (TABLES_SHARED) {
        for (int i = threadIdx.x; i < TABLE_WORDS; i += blockDim.x) shared[i] = from[i];
        fill_tables(tables, from, shared);
    } else {
        fill_tables(tables, from, from);
    }
    return tables;
}

DEVICE void root(Node& node, const Tables& tables)
{
    for (int k = 0; k < STATE_SIZE; k++) node.state[k] = 0;
    State state = {node.state};
    custom_root(tables, state);
}

DEVICE void read(Node& node, const u32* state)
{
#pragma unroll STATE_SETS
    for (int i = 0; i < STATE_WORDS; i += 4) {
        const uint4 v = *(const uint4*)(state + i);
        const u32 words[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            if (NUMBER_BYTES == 4 && i + k < STATE_SIZE) node.state[i + k] = (NUM)(int)words[k];
            if (NUMBER_BYTES == 8 && k % 2 == 0 && (i + k) / 2 < STATE_SIZE)
                node.state[(i + k) / 2] = (NUM)((u64)words[k + 1] << 32 | words[k]);
        }
    }
}

DEVICE void write(const Node& node, u32* state)
{
#pragma unroll STATE_SETS
    for (int i = 0; i < STATE_WORDS; i += 4) {
        u32 words[4] = {0, 0, 0, 0};
#pragma unroll
        for (int k = 0; k < 4; k++) {
            if (NUMBER_BYTES == 4 && i + k < STATE_SIZE) words[k] = (u32)node.state[i + k];
            if (NUMBER_BYTES == 8 && (i + k) / 2 < STATE_SIZE)
                words[k] = (u32)((u64)(i64)node.state[(i + k) / 2] >> k % 2 * 32);
        }
        uint4 v;
        v.x = words[0];
        v.y = words[1];
        v.z = words[2];
        v.w = words[3];
        *(uint4*)(state + i) = v;
    }
}

DEVICE void descend(Node& node, const Tables& tables, int depth, int item, int)
{
    if (depth < 0) return; // a lane without a node: who knows what the user's function would do
    State state = {node.state};
    custom_descend(tables, state, (NUM)depth, (NUM)item);
}
