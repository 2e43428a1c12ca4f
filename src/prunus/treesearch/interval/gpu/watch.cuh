// Whether a warp shall drop what it is at, an expansion or the bounding of open nodes: a single one may take
// longer than a time limit, and ten times as long as most others, which would wait for it at the end of a slice.
#pragma once
#include "treesearch/interval/gpu/shared_state.cuh"

constexpr int END_AT_ONCE = 2;      // HostControl::stop: what is half done is dropped
constexpr u32 WATCHED_NS = 2000000; // expansions are watched if they take longer

struct Watch {
    Search* s;
    u64 until;        // when it is dropped in any case; 0: never
    bool on, reader;  // whether to look at all; whether at the host's words though nobody has stopped
    bool keeps;       // at the end of a slice it is not dropped: every explorer gets somewhere
    bool dropped;

    // Called by all lanes together, before each child.
    DEVICE bool over()
    {
        if (!on) return false;
        if (lane() == 0) {
            int* stop = &s->control->stop;
            const bool stopped = load_volatile(stop);
            if (until) dropped = ticks() >= until;
            else if (stopped && !keeps) dropped = true;
            else dropped = (stopped || reader) && load_volatile(&s->host->stop) == END_AT_ONCE;
            if (dropped) store_volatile(stop, 1);
        }
        return dropped = warp_shuffle(dropped, 0);
    }
};

DEVICE Watch unwatched(Search* s)
{
    Watch watch = {s, 0, false, false, true, false};
    return watch;
}
