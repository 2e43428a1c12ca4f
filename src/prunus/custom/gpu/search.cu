// The search of a user's problem on a GPU. CUSTOM_CODE holds the translated functions; LEVELS items,
// NUMBER (with NUMBER_BYTES, LARGEST), STATE_SIZE, TABLE_WORDS, TABLES_SHARED, COUNTING, SHARED_ROWS,
// BLOCK and BLOCKS are given to the compiler.
#include "hardware/cuda/portable.cuh"
#include "treesearch/interval/gpu/items.cuh"
#include "custom/gpu/parts.cuh"
CUSTOM_CODE
#include "custom/gpu/node.cuh"
#include "treesearch/interval/gpu/search.cuh"
