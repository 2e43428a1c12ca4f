// Work stealing between kernels: the victim selections of Gmys et al. (2017) over explorers that
// left the exploration kernel because enough of them (the trigger) had run dry.
//
// Thieves claim their victims with an atomic flag, so that no victim is robbed twice in one phase.
#pragma once

enum { RING, SEARCH, LARGE, ADAPT, HYPERCUBE };

// The measure of what waits in each pool, as a part of the whole tree.
KERNEL(128, 1) measure_pools(Search* s)
{
    const int me = warp_id();
    Pool pool = pool_or_buffer_part(s, me);
    double sum = 0;
    for (int i = pool.bottom + lane(); i < pool.top; i += WARP) {
        const u32* entry = pool.at(i);
        sum += count_items(entry + WAITING) * s->weights[entry[0] & 0xffffu];
    }
    if (sum > 0) {
        if (me < (int)s->explorers) atomicAdd(s->lengths + me, sum);
        atomicAdd(s->lengths + s->explorers, sum);
    }
}

DEVICE bool claim(Search* s, int thief, int victim, bool large)
{
    if (victim == thief || s->top[victim] <= s->bottom[victim]) return false;
    if (large && s->lengths[victim] * (double)s->explorers <= s->lengths[s->explorers]) return false;
    if (atomicCAS(s->claimed + victim, 0, 1) != 0) return false;
    s->victims[thief] = victim;
    return true;
}

KERNEL(128, 1) choose_victims(Search* s)
{
    const int explorers = (int)s->explorers, me = blockIdx.x * blockDim.x + threadIdx.x;
    if (me >= explorers || s->top[me] > s->bottom[me]) return;
    const int rule = (int)s->selection;
    if (rule == HYPERCUBE) {
        // Neighbours differ in one digit of the explorer's number in base 4.
        for (int weight = 1; weight < explorers; weight *= 4)
            for (int j = 1; j < 4; j++) {
                const int digit = me / weight % 4, other = (digit + 4 - j) % 4;
                const int victim = me + (other - digit) * weight;
                if (victim < explorers && claim(s, me, victim, true)) return;
            }
        return;
    }
    const int first = rule == RING || rule == ADAPT ? 1 + (int)s->shift : 1;
    const int tries = rule == RING ? 1 : (int)s->window;
    for (int k = first; k < first + tries; k++) {
        const int victim = (int)(((i64)me - k % explorers + explorers) % explorers);
        if (claim(s, me, victim, rule == LARGE || rule == ADAPT)) return;
    }
}

KERNEL(128, 1) steal(Search* s)
{
    const int me = warp_id();
    if (me >= (int)s->explorers || s->victims[me] < 0) return;
    const int victim = s->victims[me];
    Pool pool = pool_of(s, victim, 0);
    if (divisible_children(pool) < 2) return;
    const int entries = split_half(pool, s->pools + (u64)me * s->capacity * ENTRY_WORDS);
    if (lane() == 0) {
        s->bottom[victim] = pool.bottom;
        s->bottom[me] = 0;
        s->top[me] = entries;
        atomicAdd(&s->control->steals, (u64)1);
    }
}
