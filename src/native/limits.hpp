// What a kernel may still do, and what it has done: polled by every kernel in the same way.
#pragma once

#include <cstdint>

namespace prunus {

/// The limits of one call of a kernel. A kernel does not know the clock: its caller turns time
/// into a budget, from the rate of the calls before, and calls again.
struct Limits {
    /// How much work may be done, in the kernel's own unit (nodes, entries read).
    std::int64_t budget;
    /// Another thread makes it non-zero to stop the kernel soon; null if nobody does.
    const std::int64_t* stop = nullptr;
    /// Work done so far.
    std::int64_t work = 0;

    /// Adds work; says whether the kernel has to return.
    bool spend(std::int64_t amount) {
        work += amount;
        return work >= budget || stopped();
    }

    bool stopped() const { return stop != nullptr && __atomic_load_n(stop, __ATOMIC_RELAXED) != 0; }
};

}  // namespace prunus
