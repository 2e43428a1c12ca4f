// The exchanges of arcs that make a tour shorter: 2-opt, Or-opt and Or-3opt; kicks that get away from
// where none helps.
//
// Two arcs are exchanged by one reversal (2-opt), three without any change of direction by swapping
// two neighbouring segments (Or-3opt: Kanellakis, Papadimitriou 1980, Local search for the asymmetric
// traveling salesman problem, Operations Research 28, 1086-1099), and up to three cities are moved
// and turned round (Or-opt: Bentley 1992, Fast algorithms for geometric traveling salesman problems,
// ORSA Journal on Computing 4, 387-411). A new arc leads to one of the nearest cities, and the sum of
// what is removed stays above the sum of what is added until the exchange is closed, as in the search
// of Lin and Kernighan (1973, An effective heuristic algorithm for the traveling-salesman problem,
// Operations Research 21, 498-516). What a reversal changes inside is added up where distances there
// and back differ.
//
// A kick is a double bridge nearby (Martin, Otto, Felten 1991, Large-step Markov chains for the
// traveling salesman problem, Complex Systems 5, 299-326), undone where it does not help. Every
// exchange is made of reversals, which are written down in a journal. Cities at which arcs have
// changed wait in a queue to be looked at again.
#include "atsp/tour_search.hpp"

#include <algorithm>

#include "random.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using atsp::Improved;
using atsp::Tour;
using atsp::TourRules;

constexpr int longest_turned = 3;   // cities of a segment that is moved and turned round
constexpr int longest_kicked = 50;  // cities of each of the two segments that a kick exchanges

struct Neighbour {
    std::int64_t away;
    int city;
};

class LocalSearch final : public atsp::TourSearch {
  public:
    LocalSearch(const TourRules& rules, std::shared_ptr<Tour> tour, std::uint64_t seed)
        : rules_(rules),
          shared_(std::move(tour)),
          tour_(shared_->order.data()),
          near_(static_cast<std::size_t>(rules.cities) * rules.neighbours),
          queued_(rules.cities),
          queue_(rules.cities),
          random_{seed} {
        for (std::size_t k = 0; k < near_.size(); k++)
            near_[k] = {distance(static_cast<int>(k / rules.neighbours), rules.near[k]), rules.near[k]};
        journal_.reserve(rules.journal);
    }

    Improved improve(int lo, int hi, std::int64_t kicks, std::int64_t shaken, std::span<const std::int64_t> first,
                     const Limits& limits) override {
        lo_ = lo;
        hi_ = hi;
        Improved done{0, 0};
        for (const std::int64_t place : first)
            if (inside(static_cast<int>(place))) look_at(tour_[place]);
        const bool possible = hi - lo > 2;
        for (; possible && shaken > 0; shaken--) done.gain -= kick();
        done.gain += descend(limits);
        for (; possible && kicks > 0 && !limits.stopped(); kicks--) {
            done.kicked++;
            journal_.clear();
            reversals_ = 0;
            const std::int64_t change = kick() - descend(limits);
            if (change <= 0 || !undo()) done.gain -= change;
        }
        return done;
    }

  private:
    std::int64_t distance(int from, int to) const {
        return rules_.distances[static_cast<std::size_t>(from) * rules_.cities + to];
    }

    std::span<const Neighbour> near(int city) const {
        return {near_.data() + static_cast<std::size_t>(city) * rules_.neighbours,
                static_cast<std::size_t>(rules_.neighbours)};
    }

    bool inside(int place) const { return lo_ <= place && place <= hi_; }

    /// Where a city is: outside of this part other threads move it meanwhile, but never into it.
    int place(int city) const { return __atomic_load_n(&shared_->place[city], __ATOMIC_RELAXED); }

    void put(int place, int city) {
        tour_[place] = city;
        __atomic_store_n(&shared_->place[city], place, __ATOMIC_RELAXED);
    }

    /// Has a city looked at again.
    void look_at(int city) {
        if (queued_[city]) return;
        queued_[city] = true;
        const int at = head_ + waiting_++;
        queue_[at < rules_.cities ? at : at - rules_.cities] = city;
    }

    void turn(int first, int last) {
        for (; first < last; first++, last--) {
            const int x = tour_[first], y = tour_[last];
            put(first, y);
            put(last, x);
        }
    }

    /// Reverses the places from `first` to `last` and notes it, as long as there is room.
    void reverse(int first, int last) {
        if (first >= last) return;
        turn(first, last);
        if (reversals_++ < rules_.journal) journal_.emplace_back(first, last);
    }

    /// Takes back what is in the journal; says whether all of it was there.
    bool undo() {
        if (reversals_ > rules_.journal) return false;
        for (auto done = journal_.rbegin(); done != journal_.rend(); done++) turn(done->first, done->second);
        return true;
    }

    /// Exchanges the places `first` to `second - 1` with `second` to `last`.
    void swap_segments(int first, int second, int last) {
        const int middle = first + last - second;
        reverse(first, last);
        reverse(first, middle);
        reverse(middle + 1, last);
    }

    /// What the arcs from `first` to `last` cost more when they are travelled back.
    std::int64_t turning_cost(int first, int last) const {
        std::int64_t total = 0;
        if (!rules_.symmetric)
            for (int k = first; k < last; k++)
                total += distance(tour_[k + 1], tour_[k]) - distance(tour_[k], tour_[k + 1]);
        return total;
    }

    /// Reverses a part if the gain at its ends is not lost inside; returns what is gained, or 0.
    std::int64_t reversal(int first, int last, std::int64_t gain) {
        if (last - first >= rules_.longest_reversal) return 0;
        gain -= turning_cost(first, last);
        if (gain <= 0) return 0;
        for (int k = 0; k < 2; k++) {
            look_at(tour_[first - k]);
            look_at(tour_[last + k]);
        }
        reverse(first, last);
        return gain;
    }

    /// Exchanges the arc out of, or into, a city and another one; returns the gain.
    std::int64_t two_opt(int city) {
        const int i = place(city);
        for (const int side : {0, 1}) {
            const int step = 1 - 2 * side;
            if (!inside(i + step)) continue;
            const int next = tour_[i + step];
            const std::int64_t old = side == 0 ? distance(city, next) : distance(next, city);
            for (const auto [away, other] : near(city)) {
                if (away >= old) break;
                const int j = place(other);
                if (!inside(j) || !inside(j + step)) continue;
                const int then = tour_[j + step];
                std::int64_t gain = old + (side == 0 ? distance(other, then) : distance(then, other));
                gain -= j > i ? away + distance(next, then) : distance(other, city) + distance(then, next);
                if (gain <= 0) continue;
                const std::int64_t kept = reversal(std::min(i, j) + 1 - side, std::max(i, j) - side, gain);
                if (kept > 0) return kept;
            }
        }
        return 0;
    }

    /// Moves a city, and one or two next to it, to a near one and turns them; returns the gain.
    std::int64_t or_opt(int city) {
        const int i = place(city);
        for (const int side : {0, 1})
            for (int length = 0; length < longest_turned; length++) {
                // The segment is first..last; the city is its first one, or its last one.
                const int first = side == 0 ? i : i - length, last = first + length;
                if (first <= lo_ || last >= hi_) break;
                const int before = tour_[first - 1], behind = tour_[last + 1];
                const int far = side == 0 ? tour_[last] : tour_[first];
                std::int64_t saved = distance(before, tour_[first]) + distance(tour_[last], behind);
                saved -= distance(before, behind);
                if (saved <= 0) continue;
                saved -= turning_cost(first, last);
                for (const auto [away, other] : near(city)) {
                    if (away >= saved) break;
                    const int j = place(other);
                    if (!inside(j) || (first <= j && j <= last)) continue;
                    int then;
                    std::int64_t gain;
                    if (side == 0) {  // then, far .. city, other
                        if (j <= lo_ || j == last + 1) continue;
                        then = tour_[j - 1];
                        gain = saved + distance(then, other) - distance(then, far) - away;
                    } else {  // other, city .. far, then
                        if (j >= hi_ || j == first - 1) continue;
                        then = tour_[j + 1];
                        gain = saved + distance(other, then) - distance(other, city) - distance(far, then);
                    }
                    if (gain <= 0) continue;
                    for (const int touched : {before, tour_[first], tour_[last], behind, other, then}) look_at(touched);
                    const int left = side == 0 ? j : j + 1;
                    if (left > last) {
                        reverse(first, left - 1);
                        reverse(first, left - 2 - length);
                    } else {
                        reverse(left, last);
                        reverse(left + length + 1, last);
                    }
                    return gain;
                }
            }
        return 0;
    }

    /// Swaps two neighbouring segments, one of which begins or ends at a city; returns the gain.
    std::int64_t or_three_opt(int city) {
        const int i = place(city);
        if (i >= hi_) return 0;
        const int after = tour_[i + 1];
        const std::int64_t old = distance(city, after);
        for (const auto [away, other] : near(city)) {
            if (away >= old) break;
            const int j = place(other);
            if (j <= lo_ || j > hi_) continue;
            const int before = tour_[j - 1];
            const std::int64_t open_gain = old - away + distance(before, other);
            for (const auto [further, then] : near(before)) {
                if (further >= open_gain) break;
                const int r = place(then);
                if (r <= j || r > (j > i ? hi_ : i)) continue;
                const int last = tour_[r - 1];
                const std::int64_t gain = open_gain - further + distance(last, then) - distance(last, after);
                if (gain <= 0) continue;
                for (const int touched : {city, after, before, other, last, then}) look_at(touched);
                if (j > i)
                    swap_segments(i + 1, j, r - 1);
                else
                    swap_segments(j, r, i);
                return gain;
            }
        }
        return 0;
    }

    /// Looks at the cities in the queue until none of them helps; returns the gain. Cities outside of
    /// the part, and the two at its ends, stay where they are.
    std::int64_t descend(const Limits& limits) {
        std::int64_t gained = 0;
        while (waiting_ > 0 && !limits.stopped()) {
            const int city = queue_[head_];
            head_ = head_ + 1 < rules_.cities ? head_ + 1 : 0;
            waiting_--;
            queued_[city] = false;
            if (!inside(place(city))) continue;
            for (;;) {
                std::int64_t gain = 0;
                if (rules_.longest_reversal > 0 && (gain = two_opt(city)) == 0) gain = or_opt(city);
                if (gain == 0) gain = or_three_opt(city);
                if (gain == 0) break;
                gained += gain;
            }
        }
        return gained;
    }

    /// Exchanges two segments somewhere in the part; returns how much longer the tour is.
    std::int64_t kick() {
        const int places = hi_ - lo_ - 1;
        // The places first..second-1 and second..last.
        const int span = 2 + below(std::min(2 * longest_kicked, places) - 1);
        const int first = lo_ + 1 + below(places - span + 1), last = first + span - 1;
        const int second = first + 1 + below(span - 1);
        const int a = tour_[first - 1], b = tour_[first], c = tour_[second - 1], d = tour_[second];
        const int e = tour_[last], f = tour_[last + 1];
        const std::int64_t added = distance(a, d) + distance(e, b) + distance(c, f);
        const std::int64_t removed = distance(a, b) + distance(c, d) + distance(e, f);
        swap_segments(first, second, last);
        for (const int city : {a, b, c, d, e, f}) look_at(city);
        return added - removed;
    }

    int below(int n) { return static_cast<int>(random_.below(n)); }

    TourRules rules_;
    std::shared_ptr<Tour> shared_;
    std::int32_t* tour_;
    std::vector<Neighbour> near_;
    std::vector<std::uint8_t> queued_;
    std::vector<std::int32_t> queue_;  // cities to be looked at, a ring
    int head_ = 0, waiting_ = 0;
    std::vector<std::pair<int, int>> journal_;  // the reversals made since the last kick
    int reversals_ = 0;                         // which may be more than the journal holds
    int lo_ = 0, hi_ = 0;                       // the part that is improved
    Random random_;
};

std::unique_ptr<atsp::TourSearch> tour_search(const TourRules& rules, std::shared_ptr<Tour> tour, std::uint64_t seed) {
    return std::make_unique<LocalSearch>(rules, std::move(tour), seed);
}

}  // namespace

const atsp::TourKernels& kernels(const atsp::TourKernels*) {
    static constexpr atsp::TourKernels table{.tour_search = tour_search};
    return table;
}

}  // namespace prunus::PRUNUS_SET
