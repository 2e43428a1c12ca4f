// The kernels of a slice: explorers branch until the tree is done, the time is up, or (with a
// trigger) enough of them have run dry.
#pragma once

constexpr int CARE = 8; // expansions between two looks at the clock, and at the host

KERNEL(128, 1) prepare(Search* s)
{
    const int explorers = (int)s->explorers, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= explorers) s->lengths[i] = 0;
    if (i < explorers) {
        s->victims[i] = -1;
        s->taken[i] = 0;
        if (i % 32 == 0) s->idle[i / 32] = 0;
    }
    if (i == 0) {
        Control* c = s->control;
        c->longest += c->peak;
        c->peak = c->stop = c->active = c->entries = 0;
        c->waiting = 0;
        c->incumbent = s->incumbent; // the host has taken what was found before
        if (s->refill) {
            c->bag_next = 0;
            c->bag_size = (int)s->bag_start;
        }
    }
}

KERNEL(BLOCK, BLOCKS) explore(Search* s)
{
    DYNAMIC_SHARED(shared);
    const Tables tables = load_tables(s->tables, (u32*)shared);
    block_sync();
    Control* c = s->control;
    const int me = warp_id(), explorers = (int)s->explorers, trigger = (int)s->trigger;
    if (me >= explorers) return;
    const u64 deadline = ticks() + (u64)s->budget;
    u32* near = (u32*)shared + SHARED_WORDS + threadIdx.x / WARP * NEAR * ENTRY_WORDS;
    Pool pool = pool_of(s, me, near);
    u64 nodes = 0, leaves = 0;
    u32 steps = 0;
    bool waiting = false;
    Glance now = glance(c);
    now.stop = 0; // at least one step, however late it is: a slice gets somewhere
    while (true) {
        const i64 incumbent = (i64)((u64)(u32)warp_shuffle((int)(now.incumbent >> 32), 0) << 32 |
                                    (u32)warp_shuffle((int)now.incumbent, 0));
        const u32 asking = (u32)warp_shuffle((int)now.waiting, 0);
        int stop = now.stop;
        if (steps % CARE == 1 && lane() == 0 && (ticks() >= deadline || (me == 0 && heed(s))))
            poke(&c->stop, stop = 1);
        if (warp_shuffle(stop, 0)) break;
        if (pool.size() == 0 && !take_from_bag(s, pool)) {
            if (!trigger) {
                if (receive(s, pool, me, deadline)) {
                    now = glance(c);
                    continue;
                }
            } else if (lane() == 0) {
                if (count_waiting(&c->waiting, 1) + 1 >= trigger) poke(&c->stop, 1);
            }
            waiting = !trigger;
            break;
        }
        const u32 seed = scatter((u32)me, steps);
        if (!trigger && asking) {
            if (seed % (u32)explorers < ZEAL * asking) {
                int gifts = 2 * (int)asking > explorers ? 3 : 1; // at the beginning there is nobody else
#pragma unroll 1
                while (gifts-- && give(s, pool, seed + 97 * gifts)) {}
            }
        }
        now = glance(c); // arrives while the nodes are branched
        const Step step = expand(s, pool, me, incumbent, tables);
        nodes += step.nodes;
        leaves += step.leaves;
        steps++;
    }
    flush(pool);
    if (lane() == 0) {
        if (!waiting) {
            s->bottom[me] = pool.bottom;
            s->top[me] = pool.top;
        }
        atomicAdd(&c->nodes, nodes);
        atomicAdd(&c->leaves, leaves);
        atomicAdd(&c->batches, (u64)steps);
        atomicMax(&c->peak, (int)steps);
    }
}

KERNEL(128, 1) census(Search* s)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int size = i < (int)s->explorers ? s->top[i] - s->bottom[i] : 0;
    const int active = count_lanes(warp_ballot(size > 0)), entries = warp_scan(size);
    if (lane() == WARP - 1 && active) {
        atomicAdd(&s->control->active, active);
        atomicAdd(&s->control->entries, entries);
    }
}
