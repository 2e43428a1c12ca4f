// Local search for a user's problem on a GPU: simulated annealing in many chains, each of a warp.
//
// In a step each lane changes the present solution in its own way and walks down the tree from the first
// changed position on. The first lane whose change is kept makes it; those after it have tried in vain.
// That is what one lane alone would do one change after the other, as long as most are refused.
// CUSTOM_CODE and the other constants are those of beam.cu, with CHAIN_BLOCKS.
#include "hardware/cuda/shuffle.cuh"
#include "treesearch/interval/gpu/items.cuh"
#include "custom/gpu/parts.cuh"
CUSTOM_CODE
#include "custom/gpu/node.cuh"
#include "custom/gpu/costs.cuh"
#include "custom/gpu/layout.h"
#include "hardware/cuda/splitmix.cuh"

#define ROW (LEVELS + (LEVELS & 1)) // of a solution in shared memory
#define MOST_WORSE (1ll << 40)      // a change counts as worse by so much at most: sums do not overflow

struct Change {
    int kind, i, j;
    DEVICE int low() const { return i < j ? i : j; }
    DEVICE int high() const { return i < j ? j : i; }
    // Where the item of a place stood before.
    DEVICE int before(int p) const
    {
        if (p < low() || p > high()) return p;
        if (kind == 2) return i + j - p;
        if (p == j) return i;
        if (kind == 0) return p == i ? j : p;
        return i < j ? p + 1 : p - 1;
    }
};

// Writes the states of the nodes on the present path, from one on.
DEVICE void follow(u32* states, const Tables& tables, const u16* order, int from)
{
    Node node;
    read(node, states + from * STATE_WORDS);
#pragma unroll 1
    for (int p = from; p < LEVELS - 1; p++) {
        descend(node, tables, p, order[p], 0);
        if (lane() == 0) write(node, states + (p + 1) * STATE_WORDS);
    }
    warp_sync();
}

// What a changed solution costs.
DEVICE NUM changed_cost(const u32* states, const Tables& tables, const u16* order, const Change& change)
{
    u32 own[WORDS];
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) own[w] = 0;
    const int first = change.low();
    Node node;
    read(node, states + first * STATE_WORDS);
    if (EAGER)
        for (int p = first; p < LEVELS; p++) own[order[p] >> 5] |= 1u << (order[p] & 31);
    int begin = first; // all lanes are at the same place at the same moment
#pragma unroll
    for (int d = 1; d < WARP; d <<= 1) {
        const int other = warp_shuffle(begin, lane() ^ d);
        begin = other < begin ? other : begin;
    }
    NUM cost = NO_COST;
    bool ended = false;
#pragma unroll 1
    for (int p = begin; p < LEVELS; p++) {
        if (p < first || ended) continue;
        const int item = order[change.before(p)];
        descend(node, tables, p, item, 0);
        if (EAGER) own[item >> 5] &= ~(1u << (item & 31));
        if (EAGER || p + 1 == LEVELS) {
            cost = cost_of(node, tables, own, own, p + 1);
            ended = cost == NO_COST;
        }
    }
    return cost;
}

DEVICE void add(u64* to, u64 v)
{
    if (v) atomicAdd(to, v);
}

KERNEL(128, CHAIN_BLOCKS) anneal(const Run* run)
{
    const Run at = *run;
    DYNAMIC_SHARED(memory);
    const Tables tables = load_tables(at.tables, (u32*)memory);
    block_sync();
    const u32 chain = warp_id();
    if (chain >= at.chains) return;
    u16* order = (u16*)((u32*)memory + SHARED_WORDS) + threadIdx.x / WARP * 2 * ROW;
    u16* other = order + ROW;
    const u32 source = at.sources[chain];
    for (int p = lane(); p < LEVELS; p += WARP) order[p] = at.from[(u64)source * LEVELS + p];
    u32* states = at.states + (u64)chain * LEVELS * STATE_WORDS;
    if (lane() == 0) {
        Node node;
        root(node, tables);
        write(node, states);
    }
    warp_sync();
    follow(states, tables, order, 0);
    i64 present = at.from_costs[source], best = at.least[chain];
    u32 tried0 = 0, tried1 = 0, tried2 = 0, helped0 = 0, helped1 = 0, helped2 = 0, worse_count = 0, kept_count = 0;
    i64 worse = 0;
    float temperature = at.temperature;
#pragma unroll 1
    for (u32 step = 0; step < at.steps; step++, temperature *= at.decay) {
        const u64 number = ((u64)step * at.chains + chain) * WARP + lane();
        const u64 drawn = mixed(at.seed + number * 0x9e3779b97f4a7c15ull);
        const u32 kind = drawn >> 32 & 4095;
        const Change change = {kind < at.limits[0] ? 0 : kind < at.limits[1] ? 1 : 2,
                               (int)((drawn & 0xffff) * LEVELS >> 16), (int)((drawn >> 16 & 0xffff) * LEVELS >> 16)};
        const NUM cost = changed_cost(states, tables, order, change);
        const i64 more = (i64)cost - present;
        const bool valid = change.i != change.j, solution = valid && cost != NO_COST;
        const bool kept = solution && more < 1 + (i64)(temperature * at.exponentials[drawn >> 52]);
        const lanes_t all = warp_ballot(kept);
        const int first = all ? lowest_lane(all) : WARP - 1;
        if (valid && lane() <= first) {
            const bool helps = solution && more < 0;
            tried0 += change.kind == 0;
            tried1 += change.kind == 1;
            tried2 += change.kind == 2;
            helped0 += helps && change.kind == 0;
            helped1 += helps && change.kind == 1;
            helped2 += helps && change.kind == 2;
            if (solution && !helps) {
                worse += more < MOST_WORSE ? more : MOST_WORSE;
                worse_count++;
                kept_count += kept && more > 0;
            }
        }
        if (!all) continue;
        const Change made = {warp_shuffle(change.kind, first), warp_shuffle(change.i, first), warp_shuffle(change.j, first)};
        present += shuffle_from(more, first);
        for (int p = lane(); p < LEVELS; p += WARP) other[p] = order[made.before(p)];
        warp_sync();
        u16* made_order = other;
        other = order;
        order = made_order;
        follow(states, tables, order, made.low());
        if (present >= best) continue;
        best = present;
        for (int p = lane(); p < LEVELS; p += WARP) at.bests[(u64)chain * LEVELS + p] = order[p];
    }
    for (int p = lane(); p < LEVELS; p += WARP) at.to[(u64)chain * LEVELS + p] = order[p];
    Tally& tally = *at.tally;
    add(&tally.tried[0], tried0);
    add(&tally.tried[1], tried1);
    add(&tally.tried[2], tried2);
    add(&tally.helped[0], helped0);
    add(&tally.helped[1], helped1);
    add(&tally.helped[2], helped2);
    add(&tally.worse, (u64)worse);
    add(&tally.worse_count, worse_count);
    add(&tally.kept_count, kept_count);
    if (lane()) return;
    at.to_costs[chain] = present;
    at.least[chain] = best;
}
