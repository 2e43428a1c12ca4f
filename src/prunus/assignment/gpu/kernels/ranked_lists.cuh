// Lists for the host, each sorted from the best column down; src/native/assignment/ranked.hpp describes the records.
#pragma once
#include "assignment/gpu/kernels/block_reductions.cuh"

#define PORTION 16
#define KEY_SIZE 8
#define COLUMNS_SIZE (PORTION * 4)
#define PORTION_SIZE (KEY_SIZE + COLUMNS_SIZE + PORTION * sizeof(value_t))
#define HEAD_SIZE 16
#define RECORD_SIZE (HEAD_SIZE + LIST / PORTION * PORTION_SIZE)
#define RANK_HEAD 1024 // bytes of shared memory before the net values, see instance.py

static_assert(LIST % PORTION == 0 && sizeof(Shared) <= RANK_HEAD, "see ranked.hpp and instance.py");

// Record k from the list of row i at some prices: of candidates that are worth no less than the threshold. A
// candidate's position is the number of better ones.
DEVICE void rank_list(const Instance* m, Shared* s, u32 k, int i, const price_t* price, price_t threshold)
{
    price_t* const net = (price_t*)((char*)s + RANK_HEAD);
    const int length = m->list_length[i];
    const int* const list = m->list_columns + (u64)i * LIST;
    const value_t* const listed = m->list_values + (u64)i * LIST;
    char* const record = m->ranked_records + (u64)k * RECORD_SIZE;
    for (int e = threadIdx.x; e < length; e += THREADS)
        net[e] = benefit(listed[e]) - price[list[e]];
    if (threadIdx.x == 0) s->size = 0;
    block_sync();
    for (int e = threadIdx.x; e < length; e += THREADS) {
        const price_t v = net[e];
        if (v < threshold) continue;
        int place = 0;
        for (int f = 0; f < length; f++) place += net[f] > v || (net[f] == v && f < e);
        atomicAdd(&s->size, 1);
        if (place == 0) m->best_value[i] = v;
        char* const portion = record + HEAD_SIZE + place / PORTION * PORTION_SIZE;
        place %= PORTION;
        if (place == 0) *(price_t*)portion = v;
        ((int*)(portion + KEY_SIZE))[place] = list[e];
        ((value_t*)(portion + KEY_SIZE + COLUMNS_SIZE))[place] = listed[e];
    }
    block_sync();
    if (threadIdx.x == 0) {
        *(price_t*)record = threshold;
        ((i64*)record)[1] = s->size;
    }
    block_sync();
}

KERNEL(THREADS, FULL) rank_lists(Instance* m)
{
    DYNAMIC_SHARED(memory);
    for (u32 k = blockIdx.x; k < m->row_count; k += gridDim.x) {
        const int i = m->row_order[k];
        rank_list(m, (Shared*)memory, k, i, m->price, m->threshold[i]);
    }
}
