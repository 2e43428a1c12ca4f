// The expanding core on a GPU: many steps in one launch, and the scans of a list between launches.
//
// All blocks are resident and synchronise after each step. A step whose next list might not fit ends the
// launch.
#include "knapsack/gpu/expanding_core/step.cuh"

// Several steps, with a barrier between them.
KERNEL(THREADS, BLOCKS) expand(Search* s)
{
    DYNAMIC_SHARED(memory);
    u32* waiting = s->barrier;
    for (i64 k = 0; k < s->steps; k++) {
        const Search* step = s + k;
        const i64 count = load_volatile(step->counts_in);
        if (count <= 0 || 2 * count > step->capacity) return;
        expand_step(step, count, (char*)memory);
        block_sync();
        if (threadIdx.x == 0) {
            fence();
            atomicAdd(waiting, 1u);
            const u32 all = (u32)(k + 1) * gridDim.x;
            while (load_volatile(waiting) < all) sleep_briefly();
            fence();
        }
        block_sync();
    }
}

DEVICE i64 heaviest(const Search* s, i64 count, i64 weight)
{
    i64 low = -1, high = count - 1;
    while (low < high) {
        const i64 middle = (low + high + 1) >> 1;
        if (s->weights[middle] <= weight) low = middle;
        else high = middle - 1;
    }
    return low;
}

// Combine every state with one item outside the core, added or removed: first to find the best value,
// then, with ``dp`` set to that value, to identify the state and the item.
KERNEL(THREADS, BLOCKS) probe(Search* s)
{
    const i64 count = *s->counts_in;
    const i64 stride = (i64)gridDim.x * blockDim.x;
    for (i64 j = (i64)blockIdx.x * blockDim.x + threadIdx.x; j < s->items; j += stride) {
        if (j > s->left && j < s->right) continue;
        const bool add = j >= s->right;
        const i64 at = heaviest(s, count, s->room - (add ? s->w[j] : -s->w[j]));
        if (at < 0) continue;
        const i64 value = s->profits[at] + (add ? s->p[j] : -s->p[j]);
        if (s->dp == 0) {
            atomic_max(&s->best->value, value);
        } else if (value == s->best->value && atomicExch(s->ticket, 1u) == 0) {
            s->best->weight = s->weights[at];
            s->best->word = s->words[at];
            s->best->step = s->step;
            s->best->extra = add ? j + 1 : -j - 1;
        }
    }
}

// Copy weights and words, and clear the decisions in the words; report how many items are counted.
KERNEL(THREADS, BLOCKS) keep(Search* s)
{
    const i64 count = *s->counts_in, stride = (i64)gridDim.x * blockDim.x;
    i64 most = 0;
    for (i64 k = (i64)blockIdx.x * blockDim.x + threadIdx.x; k < count; k += stride) {
        s->next_weights[k] = s->weights[k];
        s->next_words[k] = s->words[k];
        const i64 items = (i64)(s->words[k] >> COUNT_SHIFT) - COUNT_ZERO;
        most = items > most ? items : -items > most ? -items : most;
        ((u64*)s->words)[k] &= s->mask;
    }
    atomic_max(&s->best->most, most);
}

// The largest bound over a list, without the multiplier times the constraint's right-hand side; one per
// thread.
KERNEL(THREADS, BLOCKS) list_bound(Search* s)
{
    const i64 count = *s->counts_in, threads = (i64)gridDim.x * blockDim.x;
    const i64 t = (i64)blockIdx.x * blockDim.x + threadIdx.x;
    double best = -1e300;
    const i64 begin = count * t / threads, end = count * (t + 1) / threads;
    if (begin < end) {
        i64 q = break_between(s, s->weights[begin], -1, s->items);
        Segment g = segment(s, q);
        for (i64 k = begin; k < end; k++) {
            const i64 w = s->weights[k];
            while (w > g.ceiling && q >= 0) {
                q = heavier(s, q);
                g = segment(s, q);
            }
            double bound = bound_of(s, g, w, s->profits[k]);
            if (s->lam != 0.0) bound -= priced_items(s, s->words[k]);
            best = bound > best ? bound : best;
        }
    }
    s->bound[t] = best;
}
