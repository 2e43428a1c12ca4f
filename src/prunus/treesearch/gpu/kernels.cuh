// The interval tree search on a GPU, for any problem that defines
//   STATE_WORDS, SHARED_WORDS, Node, Tables, load_tables, root, read, write, descend, branch, least.
// descend is told the depth of the node it makes a child of, -1 in a lane that has no node.
#pragma once
#include "treesearch/gpu/entry.cuh"
#include "treesearch/gpu/search.cuh"
#include "treesearch/gpu/pool.cuh"
#include "treesearch/gpu/expand.cuh"
#include "treesearch/gpu/bag.cuh"
#include "treesearch/gpu/share.cuh"
#include "treesearch/gpu/peers.cuh"
#include "treesearch/gpu/gifts.cuh"
#include "treesearch/gpu/explore.cuh"
#include "treesearch/gpu/pack.cuh"
#include "treesearch/gpu/replay.cuh"
#include "treesearch/gpu/take.cuh"
#include "treesearch/gpu/phases.cuh"
