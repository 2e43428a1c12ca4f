// Bounding a node's children and choosing its direction, for every bound and every rule of the CPU.
#pragma once

// What the rules look at: sum and smallest of the bounds, how often the smallest is attained.
struct Tally {
    SUM difference; // forward bounds - backward bounds
    NUMBER least;
    int attained; // backward - forward
};

DEVICE void tally(Tally& t, Pair bounds, u32 free)
{
    t.difference = add_difference(t.difference, bounds, free);
    if (RULE == MINMIN && free) {
        const NUMBER front = front_of(bounds), back = back_of(bounds);
        const NUMBER both = front < back ? front : back;
        if (both < t.least) { t.least = both; t.attained = 0; }
        t.attained += (back == t.least) - (front == t.least);
    }
}

DEVICE int choose_direction(const Tally& t, int depth, const u32* forward, const u32* backward)
{
    const int known = known_direction(RULE, depth);
    if (known >= 0) return known;
    return choose_direction(
        RULE, [&] { return count_items(backward) - count_items(forward); }, [&] { return t.attained; },
        [&] { return t.difference; });
}

// Keep the children whose bound is below the incumbent; return the direction (`forced` if not
// negative).
DEVICE int branch(const Node& node, const Tables& tables, const u32* free, const u32* everyone,
                  int depth, i64 incumbent, int forced, u32* survivors)
{
    const NUMBER ub = incumbent < (i64)LARGEST ? (NUMBER)incumbent : (NUMBER)LARGEST;
    u32 forward[WORDS], backward[WORDS];
    Tally t = {0, (NUMBER)LARGEST, 0};
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) forward[w] = backward[w] = 0;
    const auto limit = limit_of(ub);
    bound_children(node, tables, everyone, [&](int w, u32 bit, Pair bounds) {
        if (BOUND == LB2) {
            NUMBER front = front_of(bounds), back = back_of(bounds);
            const int job = w * 32 + __ffs(bit) - 1;
            const bool open = free[w] & bit, on = open && front < ub, at = open && back < ub;
            const NUMBER f = johnson(node, tables, free, job, 0, on && forced != 1, ub);
            const NUMBER b = johnson(node, tables, free, job, 1, at && forced != 0, ub);
            if (on && f > front) front = f;
            if (at && b > back) back = b;
            bounds = pair_of(front, back);
        }
        add_survivors(forward[w], backward[w], bit, bounds, limit);
        if (RULE >= MINBRANCH) tally(t, bounds, free[w] & bit);
    });
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) {
        forward[w] &= free[w];
        backward[w] &= free[w];
    }
    const int direction = forced >= 0 ? forced : choose_direction(t, depth, forward, backward);
#pragma unroll ITEM_SETS
    for (int w = 0; w < WORDS; w++) survivors[w] = direction ? backward[w] : forward[w];
    if (BOUND == MIXED) {
        for (int w = 0; w < WORDS; w++) {
            u32 jobs = warp_or(survivors[w]);
            for (; jobs; jobs &= jobs - 1) {
                const u32 bit = jobs & (0u - jobs);
                const bool on = survivors[w] & bit;
                const int job = w * 32 + __ffs(bit) - 1;
                if (johnson(node, tables, free, job, direction, on, ub) >= ub && on)
                    survivors[w] &= ~bit;
            }
        }
    }
    return direction;
}

// The least LB1 over the children `among`, in one direction.
DEVICE i64 least(const Node& node, const Tables& tables, const u32* among, const u32* free,
                 const u32* everyone, int depth, int direction)
{
    NUMBER value = (NUMBER)LARGEST;
    bound_children(node, tables, everyone, [&](int w, u32 bit, Pair bounds) {
        const NUMBER bound = direction ? back_of(bounds) : front_of(bounds);
        if ((among[w] & bit) && bound < value) value = bound;
    });
    return (i64)value;
}
