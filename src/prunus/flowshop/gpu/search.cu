// The flow-shop tree search on a GPU: one instantiation per size, arithmetic, bound and rule.
//
// LEVELS jobs, MACHINES, NUMBER (with NUMBER_BYTES, LARGEST, SUM), PACKED, SHARED_ROWS, PAIRS, BOUND,
// RULE, BLOCK and BLOCKS are given to the compiler.
#include "hardware/cuda/portable.cuh"
#include "both/makespan.hpp"
#include "treesearch/interval/gpu/items.cuh"
#include "flowshop/gpu/tables.cuh"
#if PACKED
#include "flowshop/gpu/packed.cuh"
#else
#include "flowshop/gpu/wide.cuh"
#endif
#include "flowshop/gpu/johnson.cuh"
#include "flowshop/gpu/branching.cuh"
#include "treesearch/interval/gpu/search.cuh"
