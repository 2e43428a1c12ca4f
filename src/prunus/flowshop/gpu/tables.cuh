// What every explorer reads of a flow-shop instance. A row is one job's processing times; the rows
// are copied to shared memory where they fit.
#pragma once

constexpr int ROW_WORDS = ROUND4(MACHINES * (PACKED ? 1 : NUMBER_BYTES / 4));
constexpr int STATE_WORDS = (PACKED ? 2 : 3) * ROW_WORDS;
constexpr int SHARED_WORDS = SHARED_ROWS ? LEVELS * ROW_WORDS : 0;

struct Tables {
    const u32* rows;  // LEVELS x ROW_WORDS
    const u32* root;  // the root's state
    const u32* pairs; // PAIRS x 2 machines, then PAIRS x LEVELS x 4: job, p_u, lag, p_v (NUMBER)
};

DEVICE Tables load_tables(const u32* from, u32* shared)
{
    const int rows = LEVELS * ROW_WORDS;
    if (SHARED_ROWS)
        for (int i = threadIdx.x; i < rows; i += blockDim.x) shared[i] = from[i];
    Tables tables = {SHARED_ROWS ? shared : from, from + rows, from + rows + STATE_WORDS};
    return tables;
}
