// Work donation inside a running kernel: an explorer without work sets its bit, and a busy explorer that
// sees it gives it half of its pool.
//
// The donor pays, but only when somebody is starving; nobody searches for a victim, and the kernel need
// not end. One word counts the starving: donors read it before each expansion, and the bits (a lane a
// word) only with a probability that makes a few donors try for each that starves. When all starve, the
// search is over.
#pragma once

constexpr int POLLS_PER_STOP_CHECK = 4;  // polls of the own pool for each of what all share
constexpr u32 DONORS_PER_STARVING = 4;   // donors that try for each starving explorer

DEVICE u32 hash_seed(u32 me, u32 time) { return (me * 2654435761u + time * 40503u) >> 7; }

// Count an explorer that starves, or no longer does; return how many did before.
DEVICE int count_starving(u32* starving, int change)
{
    return (int)atomicAdd(starving, (u32)change);
}

// Claim one starving explorer; -1 if there is none.
DEVICE int claim_starving(Search* s, u32 seed)
{
    Control* control = s->control;
    u32* starving_bits = s->starving_bits;
    const int words = ((int)s->explorers + 31) / 32, start = (int)(seed % (u32)words);
    for (int c = 0; c < words; c += WARP) {
        const int i = (start + c + lane()) % words;
        const u32 bits = c + lane() < words ? load_volatile(starving_bits + i) : 0;
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
                claimed = (atomicAnd(starving_bits + chosen / 32, ~bit) & bit) != 0;
                if (claimed) count_starving(&control->starving, -1);
            }
            if (warp_shuffle(claimed, 0)) return chosen;
        }
    }
    return -1;
}

// Serve one waiting explorer, if there is one and there is something to donate.
DEVICE bool donate(Search* s, Pool& pool, u32 seed)
{
    if (divisible_children(pool) < (int)s->min_donatable) return false;
    const int who = claim_starving(s, seed);
    if (who < 0) return false;
    const int entries = split_half(pool, s->pools + (u64)who * s->capacity * ENTRY_WORDS);
    fence();
    warp_sync();
    if (lane() == 0) {
        atomicAdd(&s->control->steals, (u64)1);
        store_volatile(s->top + who, entries);
    }
    return true;
}

// Wait for a donation; return false if the kernel must end first.
DEVICE bool wait_for_donation(Search* s, Pool& pool, int me, u64 deadline)
{
    Control* c = s->control;
    int entries = 0;
    if (lane() == 0) {
        store_volatile(s->bottom + me, 0);
        store_volatile(s->top + me, 0);
        fence();
        if (count_starving(&c->starving, 1) + 1 == (int)s->explorers) store_volatile(&c->stop, 1);
        atomicOr(s->starving_bits + me / 32, 1u << (me & 31));
        for (int i = 1; (entries = load_volatile(s->top + me)) == 0; i++) {
            sleep_briefly();
            if (i % POLLS_PER_STOP_CHECK) continue;
            if (load_volatile(&c->stop) || ticks() >= deadline || (me == 0 && sync_with_host(s))) break;
        }
        if (!entries) store_volatile(&c->stop, 1);
    }
    entries = warp_shuffle(entries, 0);
    fence();
    pool.bottom = 0;
    pool.top = pool.base = entries;
    return entries > 0;
}
