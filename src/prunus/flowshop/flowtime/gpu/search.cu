// The tree search by total flow time on a GPU: one instantiation per size and arithmetic.
//
// LEVELS jobs, MACHINES, NUMBER (with NUMBER_BYTES, LARGEST), SHARED_TABLES, BLOCK and BLOCKS are given
// to the compiler.
#include "hardware/cuda/portable.cuh"
#include "treesearch/interval/gpu/items.cuh"
#include "flowshop/flowtime/gpu/node.cuh"
#include "treesearch/interval/gpu/search.cuh"
