// Ruiz and Stuetzle's iterated greedy (2007), for any objective that says where jobs are best.
//
// For the makespan with the descent on the partial schedule, before the jobs go back in, that
// Dubois-Lacoste, Pagnozzi and Stuetzle (2017) found to be the stronger half.
#include "flowshop/iterated_greedy.hpp"

#include <algorithm>

#include "flowshop/extent.hpp"
#include "flowshop/flowtime_places.hpp"
#include "flowshop/makespan_places.hpp"
#include "random.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using flowshop::Greedy;
using flowshop::GreedyInput;

template <class Places>
class GreedyRun final : public Greedy {
  public:
    /// What costs more than the largest is not accepted.
    GreedyRun(const GreedyInput& input, std::int64_t largest)
        : Greedy(input),
          largest(largest),
          places(input.times, input.jobs, input.machines),
          random{input.seed},
          jobs(input.jobs),
          sequence(jobs),
          order(jobs),
          place_of(jobs),
          removed(std::min(input.removed, jobs)) {}

    void run(Limits& limits, std::int64_t target, double temperature) override {
        while (limits.work < limits.budget && !limits.stopped() && best_cost > target) {
            int size = take_out();
            if constexpr (Places::descends_on_parts) descend(size, places.cost(sequence.data(), size), limits);
            std::int64_t cost = 0;
            for (const int job : removed) {
                places.ask(0, job, -1);
                places.rate(sequence.data(), size, limits);
                cost = places.least(0);
                sequence[size] = job;
                move(size, places.gap(0));
                size++;
            }
            cost = descend(size, cost, limits);
            limits.work++;
            iterations++;
            if (cost <= largest) accept(cost, temperature);
        }
    }

  private:
    const std::int64_t largest;
    Places places;
    Random random;
    const int jobs;
    std::vector<std::int32_t> sequence, order, place_of, removed;

    /// Takes the job at one place out and puts it back so that it is at another.
    void move(int from, int to) {
        const auto at = sequence.begin();
        if (from < to)
            std::rotate(at + from, at + from + 1, at + to + 1);
        else
            std::rotate(at + to, at + from, at + from + 1);
    }

    /// Copies the current schedule but for some jobs at random; returns how many are left.
    int take_out() {
        sequence = current;
        int size = jobs;
        for (auto& job : removed) {
            move(static_cast<int>(random.below(size)), jobs - 1);
            job = sequence[jobs - 1];
            size--;
        }
        return size;
    }

    /// Moves single jobs, in random order, to where they are best, until none improves.
    std::int64_t descend(int size, std::int64_t cost, const Limits& limits) {
        std::copy_n(sequence.begin(), size, order.begin());
        for (int k = 0; k < size; k++) place_of[sequence[k]] = k;
        random.shuffle(order.data(), size);
        int unmoved = 0, next = 0;  // every job once since the last that has moved
        const auto turn = [&](int ahead) { return order[next + ahead < size ? next + ahead : next + ahead - size]; };
        while (unmoved < size && !limits.stopped()) {
            const int count = std::min(Places::together, size - unmoved);
            for (int lane = 0; lane < count; lane++) places.ask(lane, turn(lane), place_of[turn(lane)]);
            places.rate(sequence.data(), size, limits);
            int asked = 0;
            while (asked < count && places.least(asked) >= cost) asked++;
            unmoved += asked;
            if (asked < count) {
                // What the others were told is of the sequence as it was.
                cost = places.least(asked);
                const int from = place_of[turn(asked)], gap = places.gap(asked), to = gap > from ? gap - 1 : gap;
                move(from, to);
                for (int k = std::min(from, to); k <= std::max(from, to); k++) place_of[sequence[k]] = k;
                asked++;
                unmoved = 0;
            }
            next = next + asked < size ? next + asked : next + asked - size;
        }
        return cost;
    }

    void accept(std::int64_t cost, double temperature) {
        const std::int64_t worse = cost - current_cost;
        if (worse > 0 && !(temperature > 0 && random.with_chance_exp(static_cast<double>(worse) / temperature))) return;
        current = sequence;
        current_cost = cost;
        if (cost < best_cost) best = sequence, best_cost = cost;
    }
};

template <class Places>
std::unique_ptr<Greedy> made(const GreedyInput& input, Wide largest) {
    return std::make_unique<GreedyRun<Places>>(input, static_cast<std::int64_t>(std::min<Wide>(largest, INT64_MAX)));
}

/// Makes a run in the shortest numbers that hold what it meets.
std::unique_ptr<Greedy> make(const GreedyInput& input) {
    const Extent extent(input.times, input.jobs, input.machines);
    if (input.objective == flowshop::Objective::flowtime) {
        const Wide largest = input.jobs * extent.longest_schedule;
        return (largest <= INT32_MAX ? made<FlowtimePlaces<std::int32_t>>
                                     : made<FlowtimePlaces<std::int64_t>>)(input, largest);
    }
    // A schedule that is accepted, the jobs that were taken out, and one that is asked for.
    const Wide largest = Wide{input.cost} + input.cost / 8;
    const Wide most = std::max<Wide>(largest + (input.removed + 1) * extent.longest_job, input.jobs) + 2;
    if (most <= UINT16_MAX) return made<MakespanPlaces<std::uint16_t>>(input, largest);
    return (most <= UINT32_MAX ? made<MakespanPlaces<std::uint32_t>> : made<MakespanPlaces<std::uint64_t>>)(input,
                                                                                                            largest);
}

}  // namespace

const flowshop::GreedyKernels& kernels(const flowshop::GreedyKernels*) {
    static constexpr flowshop::GreedyKernels table{.make = make};
    return table;
}

}  // namespace prunus::PRUNUS_SET
