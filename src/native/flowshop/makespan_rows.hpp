// The states of a path in the makespan's tree, and how a child's is made from its parent's.
//
// A state has four rows of `width` values, one a machine, padded to whole blocks of lanes: `front`
// and `back` (both/makespan.hpp; at the root the least head and tail of all jobs), and the loads of
// children in front and at the back.
//
// To append a job is time = max(time, front) + p from machine to machine. With the sums c of the
// job's times up to each machine this is c + the running maximum of (front - c before): a scan over
// lanes instead of a loop over machines. The other end is the mirror image.
#pragma once

#include <algorithm>
#include <limits>

#include "flowshop/makespan_search.hpp"
#include "lanes.hpp"
#include "memory.hpp"

namespace prunus::PRUNUS_SET {

constexpr int block = 32;  // jobs, machines or pairs that are worked on together
constexpr int padded(int count) { return (count + block - 1) / block * block; }

template <class T>
using Block = Lanes<T, block>;

template <class T>
class MakespanRows {
  public:
    explicit MakespanRows(const flowshop::MakespanTree& tree)
        : width_(padded(tree.machines)),
          jobs_(static_cast<std::size_t>(tree.jobs) * 3 * width_),
          states_(static_cast<std::size_t>(tree.jobs + 2) * 4 * width_),
          copies_(copies == 2 ? 2 * states_.size() : 0) {
        const int machines = tree.machines;
        for (int k = 0; k < machines; k++) front(0)[k] = back(0)[k] = std::numeric_limits<T>::max();
        for (int j = 0; j < tree.jobs; j++) {
            const std::int64_t* times = tree.times + static_cast<std::ptrdiff_t>(j) * machines;
            T* job = jobs_.data() + static_cast<std::ptrdiff_t>(j) * 3 * width_;
            T head = 0, tail = 0;
            for (int k = 0; k < machines; k++) {
                const T p = static_cast<T>(times[k]);
                front(0)[k] = std::min(front(0)[k], head);
                front_load(0)[k] += p;
                back_load(0)[k] += p;
                job[k] = p;
                job[width_ + k] = head += p;
            }
            for (int k = machines - 1; k >= 0; k--) {
                back(0)[k] = std::min(back(0)[k], tail);
                job[2 * width_ + k] = tail += job[k];
            }
        }
        for (int k = 0; k < machines; k++) {
            front_load(0)[k] += back(0)[k];
            back_load(0)[k] += front(0)[k];
        }
        for (std::size_t i = 0; i < copies_.size() / (tree.jobs + 2); i++) copies_[i] = states_[i / 2];
    }

    int width() const { return width_; }
    T* front(int level) { return row(level, 0); }
    T* back(int level) { return row(level, 1); }
    /// The work left on each machine and `back`; the same and `front`.
    T* front_load(int level) { return row(level, 2); }
    T* back_load(int level) { return row(level, 3); }

    /// Writes the next level's state: a job is fixed after the first ones (0) or before the last (1).
    /// If not `Copied`, the child is only looked at, and never read by `splat`.
    template <bool Copied = true>
    void descend(int level, int job, int direction) {
        if (direction == 0)
            descend<0, Copied>(level, job);
        else
            descend<1, Copied>(level, job);
    }

    /// One of these four rows as `splat` reads it.
    const T* for_splat(const T* row) const { return copies == 2 ? &copies_[2 * (row - states_.data())] : row; }
    static Block<T> splat(const T* row, int machine) {
        if constexpr (copies == 2) return Block<T>::splat_pair(row + 2 * machine);
        return Block<T>::splat(row[machine]);
    }

  private:
    /// How often a value is stored. On long registers the permutation that spreads 16 bits takes a
    /// tenth of the time of a node.
    static constexpr int copies = sizeof(T) == 2 && register_bytes == 64 ? 2 : 1;

    T* row(int level, int part) { return states_.data() + (static_cast<std::ptrdiff_t>(level) * 4 + part) * width_; }

    template <int Direction, bool Copied>
    void descend(int level, int job) {
        constexpr int moving = Direction, fixed = 1 - Direction;
        const int width = width_;
        const T* times = jobs_.data() + static_cast<std::ptrdiff_t>(job) * 3 * width;
        const T* from = row(level, 0);
        T *to = row(level + 1, 0), *copied = copies_.data() + 2 * (to - states_.data());
        T carry = 0;
        for (int i = 0; i < width; i += block) {
            const int at = Direction == 0 ? i : width - block - i;
            const auto load = [&](int part) { return Block<T>::load(from + part * width + at); };
            const auto store = [&](int part, Block<T> values) {
                values.store(to + part * width + at);
                if constexpr (copies == 2 && Copied) values.store_twice(copied + 2 * (part * width + at));
            };
            const auto p = Block<T>::load(times + at);
            const auto sums = Block<T>::load(times + (1 + Direction) * width + at);
            const auto free = load(moving);
            auto ahead = max(free - (sums - p), Block<T>::splat(carry));
            ahead = running_max<Direction == 1>(ahead);
            const auto time = ahead + sums;
            store(moving, time);
            store(fixed, load(fixed));
            store(2 + moving, load(2 + moving) - p);
            store(2 + fixed, load(2 + fixed) - p + (time - free));
            if (i + block < width) carry = ahead.lane(Direction == 0 ? block - 1 : 0);
        }
    }

    int width_;
    Aligned<T> jobs_;    // of each job: times, their sums up to each machine and from it on
    Aligned<T> states_;  // one level more than there are, for children that are looked at
    Aligned<T> copies_;  // the same, every value twice
};

}  // namespace prunus::PRUNUS_SET
