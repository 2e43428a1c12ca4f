// The interval tree search on a GPU: branch and bound by thousands of explorers, each a warp.
//
// The unit is an entry (entry.cuh): one branched node with its path, its state and those of its
// children that survived bounding and wait to be visited, one bit each. Children are visited from the
// lowest up and given away from the highest down, so that what waits in an entry is at any moment a
// node-aligned interval of the leaves. That makes an entry the unit of a steal, a message and a
// checkpoint as well: it can be turned into an interval (pack.cuh) and back (replay.cuh).
//
// An explorer has a pool (pool.cuh): a stack of entries, its top in shared memory, the rest in global
// memory. One expansion (expand.cuh) takes up to 32 (WARP) waiting children of the top entries, one a
// lane; each lane rebuilds the child's state, bounds its children in turn, and pushes it as an entry if
// any survive. So a pool grows by at most 32 entries a level, and goes deep first.
//
// Explorers that run out take entries from the work buffer (work_buffer.cuh), which holds what comes
// from the host and from other devices, and then wait until a busy explorer gives them half of its pool
// (donation.cuh, split.cuh). The other victim selections end the kernel and steal between two kernels
// (stealing.cuh). The kernel `explore` (explore.cuh) ends when all wait, when its time is up, or when
// the host says so (shared_state.cuh). Between kernels the host may take a share of all pools, copy all
// open entries or ask for the least bound (extract.cuh).
//
// Leaves are never counted one by one: what is done is the whole tree less the open intervals.
//
// A problem defines, before it includes this file,
//   LEVELS                             items to fix: the leaves are their permutations
//   STATE_WORDS, SHARED_WORDS          words of a node's state, of shared memory for tables
//   Tables load_tables(global, shared) what the problem's functions read
//   Node                               a node's state in registers
//   root, read, write                  make the root; read and write a state of STATE_WORDS words
//   descend                            from a node to a child; depth -1 in a lane that has no node
//   branch                             bound all children: survivors, and the direction to branch in
//   least                              the least bound of some children
#pragma once
#include "treesearch/interval/gpu/entry.cuh"
#include "treesearch/interval/gpu/shared_state.cuh"
#include "treesearch/interval/gpu/pool.cuh"
#include "treesearch/interval/gpu/expand.cuh"
#include "treesearch/interval/gpu/work_buffer.cuh"
#include "treesearch/interval/gpu/split.cuh"
#include "treesearch/interval/gpu/donation.cuh"
#include "treesearch/interval/gpu/explore.cuh"
#include "treesearch/interval/gpu/pack.cuh"
#include "treesearch/interval/gpu/replay.cuh"
#include "treesearch/interval/gpu/extract.cuh"
#include "treesearch/interval/gpu/stealing.cuh"
