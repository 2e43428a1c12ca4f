// A batch of rows that several threads look at, all at the same prices.
//
// One thread fills the batch; its helpers, and it too, take rows from it a few at a time. Nothing depends on which
// thread looks at what, so the answers are the same for any number of threads. Helpers wait in a loop that costs a
// core but wakes up at once, since a batch takes microseconds; one that finds nothing to do for long leaves.
#pragma once

#include <atomic>
#include <cstdint>

#include "assignment/candidate_lists.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace prunus::PRUNUS_SET {

inline void wait_a_moment() {
#if defined(__x86_64__)
    _mm_pause();
#endif
}

template <class P>
class BidBatch {
  public:
    /// With more, too many bid for what is just gone.
    static constexpr int most = 16;

    /// A row that is looked at, and what is found.
    struct alignas(64) Item {
        std::int32_t row;
        bool listing;  // whether a list is worth making
        bool listed;   // whether there was one
        int looks;     // how often the row was gone through
        BestTwo<P> best;
        P price;  // of its best column
    };

    Item item[most];

    /// Lets helpers come.
    void open() {
        ticket_ = 0, done_ = 0, helpers_ = 0;
        stop_ = 0;
    }
    /// Sends helpers away.
    void close() { stop_ |= 1; }
    bool stalled() const { return stop_ > 1; }

    /// Looks at the first `size` rows of the batch, with the helpers there are.
    template <class Look>
    void look_at_all(int size, Look&& look) {
        if (size <= portion || helpers_ == 0 || stop_ != 0) {
            for (int q = 0; q < size; q++) look(item[q]);
            return;
        }
        done_.store(0, std::memory_order_release);
        ticket_.store((((ticket_.load() >> 16) + 1) << 16) | (static_cast<std::uint64_t>(size) << 8));
        take_portions(look);
        int waited = 0;
        for (; done_.load(std::memory_order_acquire) < size; waited++) wait_a_moment();
        if (waited > stall) stop_ = 2;  // a helper was put to sleep by the system: cores are scarce, do without
    }

    /// Helps until closed, or until there is nothing to do for long.
    template <class Look>
    void help(Look&& look) {
        helpers_++;
        for (int idle = 0; idle < patience && stop_ == 0; idle++)
            if (take_portions(look))
                idle = 0;
            else
                wait_a_moment();
        helpers_--;
    }

  private:
    static constexpr int portion = 4, patience = 20'000, stall = 5'000;

    /// Takes rows of the batch until there are none left; whether there were any.
    template <class Look>
    bool take_portions(Look&& look) {
        bool any = false;
        while (true) {
            std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
            if ((ticket & 255) >= ((ticket >> 8) & 255)) return any;
            // What was added to is the newest batch, whichever that is by now.
            ticket = ticket_.fetch_add(portion, std::memory_order_acq_rel);
            const int begin = static_cast<int>(ticket & 255), size = static_cast<int>((ticket >> 8) & 255);
            if (begin >= size) return any;
            const int end = std::min(begin + portion, size);
            for (int q = begin; q < end; q++) look(item[q]);
            done_.fetch_add(end - begin, std::memory_order_acq_rel);
            any = true;
        }
    }

    // The number of the batch, its size and how many rows are taken, in one word; how many are done.
    alignas(64) std::atomic<std::uint64_t> ticket_{0};
    alignas(64) std::atomic<int> done_{0};
    alignas(64) std::atomic<int> helpers_{0};
    alignas(64) std::atomic<int> stop_{1};
};

}  // namespace prunus::PRUNUS_SET
