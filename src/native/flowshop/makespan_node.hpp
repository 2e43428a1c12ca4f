// A node of the makespan's tree with LB1: all children of a node are bounded at once, both ways, a
// job a lane. A block of lanes takes one pass over the machines; running times and bounds stay in
// registers.
#pragma once

#include "both/makespan.hpp"
#include "flowshop/machine_pairs.hpp"
#include "treesearch/interval.hpp"

namespace prunus::PRUNUS_SET {

template <class T, int Words>
class OneMachineNode {
  public:
    using Bound = T;
    using Set = ItemSet<Words>;
    static constexpr int words = Words, directions = 2;
    static constexpr bool counting = false, repeating = false;

    explicit OneMachineNode(const flowshop::MakespanTree& tree)
        : jobs_(tree.jobs),
          machines_(tree.machines),
          lanes_(padded(tree.jobs)),
          rule_(tree.rule),
          times_(static_cast<std::size_t>(machines_) * lanes_),
          rows_(tree),
          survivors_(2, tree.jobs) {
        for (int j = 0; j < jobs_; j++)
            for (int k = 0; k < machines_; k++) times_[k * lanes_ + j] = static_cast<T>(tree.times[j * machines_ + k]);
    }

    int levels() const { return jobs_; }
    int items() const { return jobs_; }
    void descend(int level, int job, int direction) { rows_.descend(level, job, direction); }

    int branch(int level, Set free, Set waiting, T* bounds, std::int64_t cutoff, int forced) {
        const int known = forced >= 0 ? forced : known_direction(rule_, level);
        bound_children(level, free, bounds, limit_of(cutoff), known);
        const int direction = known >= 0 ? known : choose(free, bounds);
        waiting.copy(survivors_[direction]);
        return direction;
    }

  protected:
    /// A cutoff as a bound: no bound is the largest number of its type.
    static T limit_of(std::int64_t cutoff) {
        return static_cast<T>(std::clamp<std::int64_t>(cutoff, 0, std::numeric_limits<T>::max()));
    }

    /// Bounds the children in one direction, in both if it is -1; keeps those below a limit.
    void bound_children(int level, Set free, T* bounds, T limit, int direction) {
        for (int w = 0; w < free.words(); w++) {
            Word kept[2] = {0, 0};
            if (free.word[w] != 0) {
                if (direction < 0)
                    bound_block<true, true>(level, w, bounds, limit, kept);
                else if (direction == 0)
                    bound_block<true, false>(level, w, bounds, limit, kept);
                else
                    bound_block<false, true>(level, w, bounds, limit, kept);
            }
            for (int side = 0; side < 2; side++) survivors_[side].word[w] = kept[side] & free.word[w];
        }
    }

    /// Chooses a direction by the rule, given all bounds and survivors.
    int choose(Set free, const T* bounds) const {
        const int forward = survivors_[0].size(), backward = survivors_[1].size();
        if (rule_ == MINBRANCH && forward == 0 && backward == 0) return 0;  // nothing is left of it
        return choose_direction(
            rule_, [&] { return backward - forward; }, [&] { return attained(free, bounds); },
            [&] { return difference(free, bounds); });
    }

    int jobs_, machines_, lanes_, rule_;
    Aligned<T> times_;  // machines x lanes
    MakespanRows<T> rows_;
    SetRows<Words> survivors_;  // of the children in front and at the back

  private:
    template <bool Front, bool Back>
    void bound_block(int level, int word, T* bounds, T limit, Word* kept) {
        using B = Block<T>;
        const T *front = rows_.for_splat(rows_.front(level)), *front_load = rows_.for_splat(rows_.front_load(level));
        const T *back = rows_.for_splat(rows_.back(level)), *back_load = rows_.for_splat(rows_.back_load(level));
        const auto splat = rows_.splat;
        const T* times = times_.data() + word * block;
        B front_time = B::splat(0), back_time = front_time, front_bound = front_time, back_bound = front_time;
        for (int k = 0, m = machines_ - 1; m >= 0; k++, m--) {
            if constexpr (Front)
                one_machine(front_time, front_bound, splat(front, k), splat(front_load, k),
                            B::load(times + k * lanes_));
            if constexpr (Back)
                one_machine(back_time, back_bound, splat(back, m), splat(back_load, m), B::load(times + m * lanes_));
        }
        const auto keep = [&](B bound, int side) {
            bound.store(bounds + side * lanes_ + word * block);
            kept[side] = static_cast<Word>(less(bound, B::splat(limit)));
        };
        if constexpr (Front) keep(front_bound, 0);
        if constexpr (Back) keep(back_bound, 1);
    }

    /// The bounds in front less those at the back, summed.
    std::int64_t difference(Set free, const T* bounds) const {
        std::int64_t total = 0;
        free.visit([&](int job) {
            total += bounds[job] - bounds[lanes_ + job];
            return true;
        });
        return total;
    }

    /// How often the least bound of all is attained at the back less in front.
    int attained(Set free, const T* bounds) const {
        T least = std::numeric_limits<T>::max();
        int count = 0;
        free.visit([&](int job) {
            for (int side = 0; side < 2; side++) {
                const T bound = bounds[side * lanes_ + job];
                if (bound < least) least = bound, count = 0;
                if (bound == least) count += 2 * side - 1;
            }
            return true;
        });
        return count;
    }
};

/// The same with LB2: on all children that LB1 leaves, before a direction is chosen, or (mixed) on
/// those in the direction that LB1 has chosen.
template <class T, int Words>
class TwoMachineNode : public OneMachineNode<T, Words> {
    using Base = OneMachineNode<T, Words>;
    using Base::lanes_, Base::rows_, Base::survivors_;

  public:
    using typename Base::Set;

    explicit TwoMachineNode(const flowshop::MakespanTree& tree)
        : Base(tree), mixed_(tree.bound == MIXED), pairs_(tree), looked_at_(1, tree.jobs) {}

    void descend(int level, int job, int direction) {
        Base::descend(level, job, direction);
        pairs_.descend(level, job);
    }

    int branch(int level, Set free, Set waiting, T* bounds, std::int64_t cutoff, int forced) {
        const T limit = Base::limit_of(cutoff);
        int direction = forced >= 0 ? forced : known_direction(this->rule_, level);
        Base::bound_children(level, free, bounds, limit, direction);
        pairs_.learn(level);
        if (direction < 0 && mixed_) direction = Base::choose(free, bounds);
        for (int side = 0; side < 2; side++)
            if (direction < 0 || side == direction) tighten(level, bounds, side, limit);
        if (direction < 0) direction = Base::choose(free, bounds);
        waiting.copy(survivors_[direction]);
        return direction;
    }

  private:
    /// Raises the bounds of one direction's surviving children to LB2; drops those it prunes, whose
    /// bounds are the limit then: how far above it they are found depends on the order of the pairs.
    void tighten(int level, T* bounds, int direction, T limit) {
        const Set survivors = survivors_[direction], looked_at = looked_at_[0];
        looked_at.copy(survivors);
        looked_at.visit([&](int job) {
            rows_.template descend<false>(level, job, direction);
            pairs_.descend(level, job);
            const T bound = pairs_.bound(rows_, level + 1, limit);
            T& known = bounds[direction * lanes_ + job];
            known = std::max(known, bound);
            if (bound >= limit) survivors.remove(job), known = limit;
            return true;
        });
    }

    bool mixed_;
    MachinePairs<T> pairs_;
    SetRows<Words> looked_at_;
};

}  // namespace prunus::PRUNUS_SET
