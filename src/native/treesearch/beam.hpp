// A beam search under way, as its caller sees it: level by level, each in pieces for some threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

namespace prunus::treesearch {

/// One beam. The caller begins a level, then asks for pieces until there are none:
///
///     for each level, while there are nodes:
///         begin_level(width)
///         while ((pieces = advance()) > 0) piece(0 .. pieces - 1), in any order, on any thread
///
/// What it finds does not depend on the number of threads. A piece takes some milliseconds at most.
class Beam {
  public:
    virtual ~Beam() = default;

    /// Begins a level, of which `width` nodes are kept.
    virtual void begin_level(std::int64_t width) = 0;
    /// Goes on as far as one thread is enough; returns how many pieces there are for several, 0 at
    /// the end of the level.
    virtual std::int64_t advance() = 0;
    /// Does a piece; threads that do so at the same time have different numbers.
    virtual void piece(std::int64_t number, int thread) = 0;

    /// How many children were rated since this was asked for the last time.
    std::int64_t take_rated() { return rated.exchange(0); }

    int levels = 0;
    std::int64_t nodes = 0;              // of the level that is next
    std::int64_t evaluated = 0;          // children of all levels
    bool complete = true;                // nothing was dropped that might lead to a better solution
    std::vector<std::int32_t> solution;  // the best one; empty if there is none below the cutoff
    std::int64_t cost = 0;               // what it costs

  protected:
    std::atomic<std::int64_t> rated{0};
};

}  // namespace prunus::treesearch
