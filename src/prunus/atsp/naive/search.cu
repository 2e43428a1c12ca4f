// The ATSP tree search on a GPU with the naive bound: the length of the path so far.
//
// Item i is city i + 1; the tour starts in city 0. LEVELS items, NUMBER (with NUMBER_BYTES, LARGEST),
// SHARED_ROWS, BLOCK and BLOCKS are given to the compiler.
#include "hardware/cuda/portable.cuh"
#include "treesearch/interval/gpu/items.cuh"
#include "atsp/naive/path_bound.cuh"
#include "treesearch/interval/gpu/search.cuh"
