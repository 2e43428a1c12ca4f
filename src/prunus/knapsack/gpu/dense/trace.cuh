// The argument of the kernels that find the items.
#pragma once

struct Trace {
    u64 passes, steps;
    u64 chosen; // a byte a step, set for those that lead to the cell
    i64 cell; // whose items are sought; afterwards what is left of it before the first pass
    u32 first, last; // passes
};
