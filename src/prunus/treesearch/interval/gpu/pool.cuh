// An explorer's pool: a stack of entries whose top lies in shared memory.
//
// Entry i has its place i in the far part (global memory) and, while base <= i, in the near part
// (shared memory, NEAR places used as a ring). Expansions work on the near part alone; what it cannot
// hold is moved to the far part and back by the whole warp, 16 bytes a lane. Donations are taken from the
// bottom. Between kernels everything is far.
#pragma once

struct Pool {
    u32* far;
    u32* near;
    int bottom, top, base;

    DEVICE u32* near_at(int i) const
    {
        return NEAR ? near + (i & (NEAR - 1)) * ENTRY_WORDS : far + (u64)i * ENTRY_WORDS;
    }
    DEVICE u32* far_at(int i) const { return far + (u64)i * ENTRY_WORDS; }
    DEVICE u32* at(int i) const { return NEAR && i >= base ? near_at(i) : far_at(i); }
    DEVICE int size() const { return top - bottom; }
};

constexpr int ENTRY_QUADS = ENTRY_WORDS / 4;

DEVICE void move_out(Pool& pool, int count)
{
    for (int i = lane(); i < count * ENTRY_QUADS; i += WARP) {
        const int entry = pool.base + i / ENTRY_QUADS, word = i % ENTRY_QUADS * 4;
        *(uint4*)(pool.far_at(entry) + word) = *(const uint4*)(pool.near_at(entry) + word);
    }
    pool.base += count;
    warp_sync();
}

DEVICE void move_in(Pool& pool, int count)
{
    pool.base -= count;
    for (int i = lane(); i < count * ENTRY_QUADS; i += WARP) {
        const int entry = pool.base + i / ENTRY_QUADS, word = i % ENTRY_QUADS * 4;
        *(uint4*)(pool.near_at(entry) + word) = *(const uint4*)(pool.far_at(entry) + word);
    }
    warp_sync();
}

// Before an expansion: at least WARP entries near, if there are so many.
DEVICE void refill(Pool& pool)
{
    const int near = pool.top - pool.base, far = pool.base - pool.bottom;
    if (!NEAR || near >= WARP || far == 0) return;
    const int wanted = WARP + NEAR / 8 - near;
    move_in(pool, far < wanted ? far : wanted);
}

// Before `births` entries are pushed: room for them near.
DEVICE void spill(Pool& pool, int births)
{
    const int near = pool.top - pool.base, excess = near + births - NEAR;
    if (!NEAR || excess <= 0) return;
    const int count = excess + NEAR / 8;
    move_out(pool, near < count ? near : count);
}

// Between kernels everything is far.
DEVICE void flush(Pool& pool)
{
    if (NEAR) move_out(pool, pool.top - pool.base);
}

DEVICE Pool pool_of(Search* s, int me, u32* near)
{
    Pool pool = {s->pools + (u64)me * s->capacity * ENTRY_WORDS, near, s->bottom[me], s->top[me]};
    pool.base = pool.top;
    return pool;
}
