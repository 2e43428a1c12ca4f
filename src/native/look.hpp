// A question to whoever called a kernel that works for long: whether to stop.
#pragma once

#include <cstdint>

namespace prunus {

/// Asked in the caller's thread, every few milliseconds; told of work done since, where that is shown.
struct Look {
    bool (*ask)(void* of, std::int64_t work) = nullptr;
    void* of = nullptr;

    bool operator()(std::int64_t work = 0) const { return ask != nullptr && ask(of, work); }
};

}  // namespace prunus
