// The interval tree search on a GPU, for any problem that defines
//   STATE_WORDS, SHARED_WORDS, Node, Tables, load_tables, root, read, write, descend, branch, least.
// descend is told the depth of the node it makes a child of, -1 in a lane that has no node.
#pragma once
#include "treesearch/interval/gpu/entry.cuh"
#include "treesearch/interval/gpu/search.cuh"
#include "treesearch/interval/gpu/pool.cuh"
#include "treesearch/interval/gpu/expand.cuh"
#include "treesearch/interval/gpu/bag.cuh"
#include "treesearch/interval/gpu/share.cuh"
#include "treesearch/interval/gpu/gifts.cuh"
#include "treesearch/interval/gpu/explore.cuh"
#include "treesearch/interval/gpu/pack.cuh"
#include "treesearch/interval/gpu/replay.cuh"
#include "treesearch/interval/gpu/take.cuh"
#include "treesearch/interval/gpu/phases.cuh"
