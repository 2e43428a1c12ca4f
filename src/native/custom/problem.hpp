// A user's own problem: its functions, compiled by Numba, as pointers.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace prunus::custom {

/// The cost of what cannot become a solution; that of everything else is smaller.
constexpr std::int64_t infeasible = std::int64_t{1} << 62;

/// Places in the tables that a function reads; a problem's data follow, the shapes of arrays with the
/// numbers. `prunus.custom.cpu.node_functions` has the same.
enum Pointer { ITEMS, FREE, WORDS, STATES, COSTS, ARRAYS };
enum Number { STATE, MOST, BASE, NUMBERS };

/// A function that Numba has compiled: returns 0, or 1 if one of the user's raised an exception.
using Function = std::int32_t (*)(std::int64_t* const* pointers, const std::int64_t* numbers, std::int64_t first,
                                  std::int64_t second);

struct Problem {
    /// Changes STATES, a state, to that of the child which fixes item `second` at level `first`.
    Function descend;
    /// Changes STATES, a row an item with the state of a node at level `first`, to those of its
    /// `second` children, and writes the items' COSTS. ITEMS has the children's items, FREE all but the
    /// first and a -1, WORDS a bit for each.
    Function bound;
    /// The same with what beams order nodes by in place of costs; null if that are the costs.
    Function guide;
    /// Goes down from level `first` to the leaves, level `second`, in the order of ITEMS, and writes
    /// STATES, a row a level. COSTS, one number, is a limit before; afterwards the leaf's cost, or
    /// that of the first node whose cost attains the limit. Where there are constraints, FREE and WORDS have the
    /// items that are free at level `first`, and change.
    Function walk;
    std::vector<int> radix;             // children of a node, a number a level
    std::vector<std::int64_t> root;     // its state
    std::vector<std::int64_t*> arrays;  // of the data
    std::vector<std::int64_t> numbers;  // as functions read them
    bool repeating;                     // whether an item may be fixed again further down
    bool counting;                      // whether leaves are counted, not offered as solutions
    bool constrained;                   // whether inner nodes may be infeasible

    int levels() const { return static_cast<int>(radix.size()); }
    int items() const { return static_cast<int>(numbers[MOST]); }
};

/// Is thrown where a user's function has raised an exception: the only way out of a search, as what
/// it computed is of no use. Says what was fixed then, or was to be fixed next.
class Raised : public std::exception {
  public:
    explicit Raised(std::string path) : path_(std::move(path)) {}
    const char* what() const noexcept override { return path_.c_str(); }

  private:
    std::string path_;
};

}  // namespace prunus::custom
