// What is sought in two ascending lists a and b: pairs whose sum is one of some targets, or next below it.
#pragma once
#include "cuda/portable.cuh"

struct Search {
    const u64* a;
    const u64* b;
    u64 n;
    u64 m;
    u64 first;         // tile
    u64 tiles;
    const u64* targets;
    u64 count;         // of targets
    u64* edges;        // of every tile for every target: begin and end in B
    u64* found;        // how many pairs, then a, b and the target's number; stretches of B that are spare
    u64* least;        // target - sum, for every target
    u64* spare;        // tile and target (see edges) above a length, and where a stretch begins
    u64 room;          // for spare stretches
};
