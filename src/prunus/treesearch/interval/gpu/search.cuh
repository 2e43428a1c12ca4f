// What the kernels of one search share: its memory and its control words.
#pragma once

// Control, Order, Search
#include "treesearch/interval/gpu/memory.h"

// What explorers look at before each expansion, in one access.
struct Glance {
    i64 incumbent;
    int stop;
    u32 waiting;
};

DEVICE Glance glance(const Control* c)
{
    Glance g;
    const uint4 v = peek16((const uint4*)c);
    g.incumbent = (i64)((u64)v.y << 32 | v.x);
    g.stop = (int)v.z;
    g.waiting = v.w;
    return g;
}

// Look at what the host says; return whether the kernel must end: it says so, or it does not yet know
// of what was found here. Other devices learn of it from the host.
DEVICE bool heed(Search* s)
{
    Control* c = s->control;
    const uint4 v = peek16((const uint4*)s->order);
    const i64 theirs = (i64)((u64)v.y << 32 | v.x), ours = peek(&c->incumbent);
    if (theirs < ours) atomicMin((u64*)&c->incumbent, (u64)theirs);
    return v.z || ours < theirs;
}
