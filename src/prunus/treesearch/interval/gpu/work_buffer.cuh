// The work buffer: entries that belong to no explorer yet, taken by whoever runs out of work.
#pragma once

DEVICE bool take_from_buffer(Search* s, Pool& pool)
{
    Control* c = s->control;
    int first = 0, size = 0;
    if (lane() == 0) {
        size = load_volatile(&c->buffer_size);
        first = load_volatile(&c->buffer_next) < size ? atomicAdd(&c->buffer_next, (int)s->buffer_chunk) : size;
    }
    first = warp_shuffle(first, 0);
    size = warp_shuffle(size, 0);
    int n = size - first < (int)s->buffer_chunk ? size - first : (int)s->buffer_chunk;
    if (n <= 0) return false;
    const u32* from = s->buffer + (u64)first * ENTRY_WORDS;
    for (int i = 4 * lane(); i < n * ENTRY_WORDS; i += 4 * WARP)
        *(uint4*)(pool.far + i) = *(const uint4*)(from + i);
    warp_sync();
    pool.bottom = 0;
    pool.top = pool.base = n;
    return true;
}
