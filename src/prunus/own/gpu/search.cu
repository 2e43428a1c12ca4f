// The search of a user's problem on a GPU. OWN_CODE holds the translated functions; LEVELS items,
// NUMBER (with NUMBER_BYTES, LARGEST), STATE_SIZE, TABLE_WORDS, TABLES_SHARED, COUNTING, SHARED_ROWS,
// BLOCK and BLOCKS are given to the compiler.
#include "cuda/portable.cuh"
#include "treesearch/gpu/items.cuh"
#include "own/gpu/parts.cuh"
OWN_CODE
#include "own/gpu/node.cuh"
#include "treesearch/gpu/kernels.cuh"
