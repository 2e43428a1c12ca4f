// Work sharing inside a running kernel: an explorer without work raises its bit, and a busy explorer
// that sees it gives half of its pool.
//
// The giver pays, but only when somebody asks; nobody searches for a victim, and the kernel need not
// end. One word counts those who wait: givers look at it before each expansion and read the bits (a
// lane a word) only with a probability that makes a few givers try for each who waits. When all wait,
// the search is over.
#pragma once

constexpr int PATIENCE = 4; // looks at the own mailbox between two looks at what all look at
constexpr u32 ZEAL = 4;     // givers that try for each explorer that waits

DEVICE u32 scatter(u32 me, u32 time) { return (me * 2654435761u + time * 40503u) >> 7; }

// Count an explorer that waits, or no longer does; return how many waited before.
DEVICE int count_waiting(u32* waiting, int change)
{
    return (int)atomicAdd(waiting, (u32)change);
}

// Claim one explorer that waits; -1 if there is none.
DEVICE int find_waiting(Search* s, u32 seed)
{
    Control* control = s->control;
    u32* idle = s->idle;
    const int words = ((int)s->explorers + 31) / 32, start = (int)(seed % (u32)words);
    for (int c = 0; c < words; c += WARP) {
        const int i = (start + c + lane()) % words;
        const u32 bits = c + lane() < words ? peek(idle + i) : 0;
        int who = -1;
        if (bits) {
            const int turn = (int)(seed >> 5) & 31;
            const u32 turned = bits >> turn | (turn ? bits << (32 - turn) : 0);
            who = i * 32 + ((__ffs(turned) - 1 + turn) & 31);
        }
        lanes_t some = warp_ballot(who >= 0);
        for (int tries = 0; some && tries < 2; tries++) {
            const int first = lowest_lane(some);
            const int chosen = warp_shuffle(who, first);
            some &= some - 1;
            int claimed = 0;
            if (lane() == 0) {
                const u32 bit = 1u << (chosen & 31);
                claimed = (atomicAnd(idle + chosen / 32, ~bit) & bit) != 0;
                if (claimed) count_waiting(&control->waiting, -1);
            }
            if (warp_shuffle(claimed, 0)) return chosen;
        }
    }
    return -1;
}

// Serve one waiting explorer, if there is one and there is something to give.
DEVICE bool give(Search* s, Pool& pool, u32 seed)
{
    if (shareable(pool) < (int)s->modest) return false;
    const int who = find_waiting(s, seed);
    if (who < 0) return false;
    const int entries = share(pool, s->pools + (u64)who * s->capacity * ENTRY_WORDS);
    fence();
    warp_sync();
    if (lane() == 0) {
        atomicAdd(&s->control->steals, (u64)1);
        poke(s->top + who, entries);
    }
    return true;
}

// Wait for a gift; return false if the kernel must end first.
DEVICE bool receive(Search* s, Pool& pool, int me, u64 deadline)
{
    Control* c = s->control;
    int entries = 0;
    if (lane() == 0) {
        poke(s->bottom + me, 0);
        poke(s->top + me, 0);
        fence();
        if (count_waiting(&c->waiting, 1) + 1 == (int)s->explorers) poke(&c->stop, 1);
        atomicOr(s->idle + me / 32, 1u << (me & 31));
        for (int i = 1; (entries = peek(s->top + me)) == 0; i++) {
            doze();
            if (i % PATIENCE) continue;
            if (peek(&c->stop) || ticks() >= deadline || (me == 0 && heed(s))) break;
        }
        if (!entries) poke(&c->stop, 1);
    }
    entries = warp_shuffle(entries, 0);
    fence();
    pool.bottom = 0;
    pool.top = pool.base = entries;
    return entries > 0;
}
