// A best-first search as its callers see it; best_first.hpp has what it does.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "limits.hpp"

namespace prunus::treesearch {

/// An open node: no solution in its subtree is below `bound`; `share` is the part of the tree that it
/// is taken for; `words` are what its problem writes of it.
struct OpenNode {
    std::int64_t bound;
    double share;
    std::int64_t* words;

    bool operator<(const OpenNode& other) const { return bound < other.bound; }
};

/// Whether the node under way is to be branched less carefully: a stop flag of 1 ends a search after
/// that node, one of 2 also hastens it.
inline bool hurried(const Limits& limits) {
    return limits.stop != nullptr && __atomic_load_n(limits.stop, __ATOMIC_RELAXED) > 1;
}

/// The open nodes of one core, and what is known of those that were branched.
class BestFirstSearch {
  public:
    /// The least bound of no node; the objective while no solution has been found.
    static constexpr std::int64_t no_bound = std::int64_t{1} << 62;

    /// Why `explore` returned: budget spent or stopped; nothing is open; a better solution was found.
    enum class Status { paused, exhausted, found };

    std::int64_t nodes = 0;   // branched
    std::int64_t leaves = 0;  // of them, without children
    double fathomed = 0;      // the share of the tree that is done
    /// The better solution, when there is one: its objective, then the numbers that describe it.
    std::vector<std::int64_t> found;

    virtual ~BestFirstSearch() = default;
    /// Branches up to `limits.budget` nodes, at least one; nodes at or above `*cutoff`, which others
    /// lower meanwhile, are fathomed. To be called again after a solution was found.
    virtual Status explore(const std::int64_t* cutoff, Limits& limits, bool depth_first) = 0;
    /// How many words a node has.
    virtual int words() const = 0;
    virtual void put(std::span<const OpenNode> nodes) = 0;
    /// Takes out every second of the best nodes; of a plunge, those that would come last. Their
    /// words can be read until the next call.
    virtual std::vector<OpenNode> donate() = 0;
    /// All open nodes, which stay; their words can be read until the next call.
    virtual std::vector<OpenNode> all() const = 0;
    virtual void clear() = 0;
    virtual std::int64_t open() const = 0;
    /// The least bound of an open node; `no_bound` if there is none.
    virtual std::int64_t least() const = 0;
};

}  // namespace prunus::treesearch
