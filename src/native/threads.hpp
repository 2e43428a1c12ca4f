// Numbered pieces of work, shared out among threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

#include "look.hpp"

namespace prunus::PRUNUS_SET {

/// Calls `work(piece, member)` for each of some pieces, one at a time a member. Member 0 is the
/// caller's thread, which looks after each of its pieces; says whether all pieces were done. What
/// a piece throws is thrown in the end.
template <class Work>
bool share(int members, std::int64_t pieces, Look look, const Work& work) {
    std::atomic<std::int64_t> next{0};
    std::atomic<bool> stop{false};
    std::vector<std::exception_ptr> failed(members);
    const auto take = [&](int member) {
        try {
            while (!stop) {
                const std::int64_t piece = next++;
                if (piece >= pieces) break;
                work(piece, member);
                if (member == 0 && look()) stop = true;
            }
        } catch (...) {
            failed[member] = std::current_exception();
            stop = true;
        }
    };
    std::vector<std::thread> others;
    try {
        for (int m = 1; m < members && m < pieces; m++) others.emplace_back(take, m);
    } catch (const std::system_error&) {
        // fewer threads than wanted do as well
    }
    take(0);
    for (auto& thread : others) thread.join();
    for (const auto& error : failed)
        if (error) std::rethrow_exception(error);
    return !stop;
}

}  // namespace prunus::PRUNUS_SET
