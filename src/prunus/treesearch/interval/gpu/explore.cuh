// The kernels of a slice: explorers branch until the tree is done, the time is up, or (with a
// trigger) enough of them have run dry.
#pragma once

constexpr int EXPANSIONS_PER_CHECK = 8; // of the clock and, by one explorer, of the host's words
// If they take longer together, both are looked at after each, the host's words by one of so many explorers:
// where expansions are short, that many would wait for the bus most of the time.
constexpr u32 LONG_NS = 250000;
constexpr int EXPLORERS_PER_READER = 32;

KERNEL(128, 1) prepare(Search* s)
{
    const int explorers = (int)s->explorers, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= explorers) s->lengths[i] = 0;
    if (i < explorers) {
        s->victims[i] = -1;
        s->claimed[i] = 0;
        if (i % 32 == 0) s->starving_bits[i / 32] = 0;
    }
    if (i == 0) {
        Control* c = s->control;
        c->critical_expansions += c->most_expansions;
        c->most_expansions = c->stop = c->active = c->entries = 0;
        c->starving = 0;
        c->expansion_ns = ~0ull;
        c->incumbent = s->incumbent; // the host has taken what was found before
        if (s->buffer_is_new) {
            c->buffer_next = 0;
            c->buffer_size = (int)s->buffer_start;
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
    u32 steps = 0, looked = 0;
    bool slow = false, starved = false;
    SharedState now = load_shared_state(c);
    now.stop = 0; // at least one step, however late it is: a slice gets somewhere
    while (true) {
        const i64 incumbent = (i64)((u64)(u32)warp_shuffle((int)(now.incumbent >> 32), 0) << 32 |
                                    (u32)warp_shuffle((int)now.incumbent, 0));
        const u32 starving = (u32)warp_shuffle((int)now.starving, 0);
        int stop = now.stop;
        if ((slow || steps % EXPANSIONS_PER_CHECK == 1) && lane() == 0) {
            const u64 time = ticks();
            slow = (u32)time - looked > LONG_NS;
            looked = (u32)time;
            if (slow) stop = load_volatile(&c->stop); // `now` is as old as an expansion
            const int reader = slow ? me % EXPLORERS_PER_READER : me;
            if (time >= deadline || (reader == 0 && sync_with_host(s))) store_volatile(&c->stop, stop = 1);
        }
        if (warp_shuffle(stop, 0)) break;
        if (pool.size() == 0 && !take_from_buffer(s, pool)) {
            if (!trigger) {
                if (wait_for_donation(s, pool, me, deadline)) {
                    now = load_shared_state(c);
                    continue;
                }
            } else if (lane() == 0) {
                if (count_starving(&c->starving, 1) + 1 >= trigger) store_volatile(&c->stop, 1);
            }
            starved = !trigger;
            break;
        }
        const u32 seed = hash_seed((u32)me, steps);
        if (!trigger && starving) {
            if (seed % (u32)explorers < DONORS_PER_STARVING * starving) {
                int donations = 2 * (int)starving > explorers ? 3 : 1; // few donors at the beginning
#pragma unroll 1
                while (donations-- && donate(s, pool, seed + 97 * donations)) {}
            }
        }
        now = load_shared_state(c); // arrives while the nodes are branched
        const Step step = expand(s, pool, me, incumbent, tables);
        nodes += step.nodes;
        leaves += step.leaves;
        steps++;
    }
    flush(pool);
    if (lane() == 0) {
        const float took = (float)(ticks() - (deadline - (u64)s->budget));
        if (steps) atomicMin(&c->expansion_ns, (u64)divided(took, (float)steps));
        if (!starved) {
            s->bottom[me] = pool.bottom;
            s->top[me] = pool.top;
        }
        atomicAdd(&c->nodes, nodes);
        atomicAdd(&c->leaves, leaves);
        atomicAdd(&c->expansions, (u64)steps);
        atomicMax(&c->most_expansions, (int)steps);
    }
}

KERNEL(128, 1) count_active(Search* s)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int size = i < (int)s->explorers ? s->top[i] - s->bottom[i] : 0;
    const int active = count_lanes(warp_ballot(size > 0)), entries = warp_scan(size);
    if (lane() == WARP - 1 && active) {
        atomicAdd(&s->control->active, active);
        atomicAdd(&s->control->entries, entries);
    }
}
