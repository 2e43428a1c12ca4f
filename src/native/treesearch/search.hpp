// The depth-first search of an interval of a tree, whatever the problem: what explorers call.
#pragma once

#include <cstdint>

#include "limits.hpp"

namespace prunus::treesearch {

/// Why `explore` returned.
enum class Status {
    paused,     // out of budget, or told to stop
    exhausted,  // the interval is done
    found,      // a leaf below the cutoff was reached
};

/// The least bound of no node.
constexpr std::int64_t no_bound = std::int64_t{1} << 62;

/// How deep an interval's path is, and where the interval ends; see prunus.treesearch.interval.
/// Depth 0 is a whole tree where an interval is begun, and nothing where one is handed out.
struct Extent {
    int depth = 0;
    int end_level = 0;
    int end_digit = 0;
};

/// Nodes drawn from a search, one a row: the path to each, and how many nodes it stands for.
struct Sample {
    std::uint32_t* digits;     // rows x levels
    std::uint8_t* directions;  // rows x levels
    std::int64_t *level, *bound;
    double* weight;
    int rows;
};

/// One search: the path with its open siblings, in memory of its own. A problem's factory makes it.
class Search {
  public:
    virtual ~Search() = default;

    virtual int levels() const = 0;
    /// The bits of the numbers that bounds are.
    virtual int bits() const = 0;
    /// The number of children of a node at a level.
    virtual int children(int level) const = 0;
    /// Nodes branched, and leaves reached, in all intervals so far.
    virtual std::int64_t nodes() const = 0;
    virtual std::int64_t leaves() const = 0;

    /// Goes to where an interval begins: its path is replayed in the directions recorded.
    virtual void load(const std::uint32_t* digits, const std::uint8_t* directions, Extent extent,
                      std::int64_t cutoff) = 0;

    /// Branches nodes, each a unit of work, until the limits are reached, the interval is done or
    /// a leaf is below the cutoff, which other threads may lower. Can be called again to go on.
    virtual Status explore(const std::int64_t* cutoff, Limits& limits) = 0;

    /// Writes the path of what is left of the interval, which stays here.
    virtual Extent rest(std::uint32_t* digits, std::uint8_t* directions) const = 0;

    /// Cuts off the last part of the interval, at its shallowest level with siblings, and writes
    /// that part's path.
    virtual Extent split(double fraction, std::uint32_t* digits, std::uint8_t* directions) = 0;

    /// The least bound of the open nodes, or `no_bound`.
    virtual std::int64_t least_open_bound() const = 0;

    /// Writes the path of the leaf that was reached; returns its objective.
    virtual std::int64_t leaf(std::int64_t* items, std::int64_t* directions) const = 0;

    /// Draws open nodes below the cutoff: all of the first level with any, at most so many of each
    /// other, evenly. Returns how many; they are in the order of their levels.
    virtual int sample(std::int64_t cutoff, int most, std::uint64_t& random, const Sample& rows) const = 0;
};

}  // namespace prunus::treesearch
