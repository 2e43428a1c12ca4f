// What the kernels of one search share: its memory and its control words.
#pragma once

// PEERS: kernels of several devices run at the same time and give each other work; see peers.cuh.
#ifndef PEERS
#define PEERS 0
#endif

struct Control {
    i64 incumbent;             // not negative; children whose bound is at least this are pruned
    int stop;                  // raised: every explorer leaves as soon as it can
    u32 waiting;               // explorers without work; with PEERS in the lower half, and in the upper
                               // half a bit for each other device of which many wait
    u64 nodes, leaves, steals; // since the search began
    u64 batches;               // expansions of up to one warp of nodes
    u64 longest;               // most expansions of one explorer, summed over slices
    i64 least;                 // least open bound, by the kernel `least_bound`
    int bag_next, bag_size;    // shared entries: taken, present
    int active;                // explorers with work, by the kernel `census`
    int given;                 // entries written by `take`
    int overflow;              // a pool or a buffer was too small: the search is void
    int lock;                  // of the slot that belongs to no explorer
    int entries;               // in all pools, by the kernel `census`
    int peak;                  // expansions of the busiest explorer in this slice
    u32 gate;                  // givers of other devices that are here; SHUT
    int visits;                // gifts that came from other devices
    u32 hungry;                // 1 if the others have been told so
    u32 padding;
    u64 starved;               // nanoseconds in which all explorers waited
};

// What the host says to a running kernel, in host memory that the device reads over the bus. One
// explorer looks at it for all.
struct Order {
    i64 incumbent; // of all devices
    int leave;     // not 0: end the kernel
    int padding;
};

// Another device of the team, as seen from this one. Its memory is within reach.
struct Peer {
    Control* control;
    u32* pools;
    int* top;
    u32* idle;
    u64* come;
    i64 explorers, slot, sated;
};

// All fields are eight bytes wide: the host keeps them in an array.
struct Search {
    Control* control;
    u32* pools;            // explorers x capacity x ENTRY_WORDS
    int* bottom;           // explorers: first entry in the pool
    int* top;              // explorers: after the last entry
    u32* bag;              // entries that belong to no explorer yet
    const u32* tables;     // the problem's
    u32* idle;             // explorers / 32: one bit for each that waits for a gift
    i64* values;           // explorers + 1: best objective found, with its path in `solutions`
    u32* solutions;        // (explorers + 1) x PATH_WORDS
    u8* digits;            // of all intervals' paths, one after another, as intervals.packed.Packed
    u8* directions;        // intervals x DIRECTION_BYTES
    u16* depth;            // intervals
    u16* end_level;        // intervals
    u16* end_digit;        // intervals
    u32* starts;           // intervals: where their paths begin
    u32* out;              // entries given away or copied, `out_words` each
    u64* widths;           // LEVELS: intervals written to `out`, summed by level in leaves' weights
    const Order* order;
    double* lengths;       // explorers + 1: measure of what waits; the sum
    const double* weights; // LEVELS: share of the whole tree below one child of a level
    int* victims;          // explorers: whom to steal from, -1 nobody
    int* taken;            // explorers: already somebody's victim
    i64 explorers, capacity, intervals, budget, bag_capacity, out_capacity;
    i64 trigger;           // 0: gifts; else leave once so many explorers are out of work
    i64 grab;              // entries taken from the bag at a time
    i64 share;             // part to give away, in 1/65536
    i64 out_words;         // words of an entry in `out`: with its state or without
    i64 rule, window, shift; // victim selection
    i64 modest;            // children that must wait before an explorer gives
    i64 incumbent;         // the host's, as of the last slice
    i64 refill, bag_start; // the bag is new; entries in it
    const Peer* peers;     // the other devices
    u64* come;             // LEVELS: as `widths`, what came from other devices since the search began
    u64* gone;             // LEVELS: and what was given to them
    i64 peer_count, slot;  // of those; this device's bit where others see that it is hungry
    i64 linked;            // not 0: gifts between devices are allowed in this slice
    i64 hungry;            // a device becomes so when so many of its explorers wait
    i64 sated;             // and so when one of so many is served
};

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
