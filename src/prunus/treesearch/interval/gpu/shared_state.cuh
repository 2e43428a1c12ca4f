// What the explorers of one device share: memory, control words, the incumbent. The structures Control,
// HostControl and Search are declared in memory.py.
#pragma once

#include "treesearch/interval/gpu/memory.h"

// What explorers read before each expansion, in one access: the first 16 bytes of Control.
struct SharedState {
    i64 incumbent;
    int stop;
    u32 starving;
};

DEVICE SharedState load_shared_state(const Control* c)
{
    SharedState g;
    const uint4 v = load16_volatile((const uint4*)c);
    g.incumbent = (i64)((u64)v.y << 32 | v.x);
    g.stop = (int)v.z;
    g.starving = v.w;
    return g;
}

// Take over the host's incumbent; return whether the kernel must end: the host says so, or does not yet
// know of a better solution found here, which other devices learn of from the host.
DEVICE bool sync_with_host(Search* s)
{
    Control* c = s->control;
    const uint4 v = load16_volatile((const uint4*)s->host);
    const i64 theirs = (i64)((u64)v.y << 32 | v.x), ours = load_volatile(&c->incumbent);
    if (theirs < ours) atomicMin((u64*)&c->incumbent, (u64)theirs);
    return v.z || ours < theirs;
}
