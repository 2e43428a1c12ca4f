#include "assignment/lists.hpp"

#include <cmath>

#include "assignment/bid_batch.hpp"
#include "assignment/candidate_lists.hpp"
#include "assignment/path_search.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using assignment::ListSolve;
using assignment::Paths;

template <class Rows>
class ListSolveOf final : public ListSolve {
  public:
    using P = typename Rows::Price;
    using Scratch = RowScratch<Rows>;

    ListSolveOf(const Rows& rows, std::int64_t n, std::int64_t m, int listed)
        : columns_(m),
          state_(n, m),
          lists_(n, m, listed, state_.price.data()),
          work_(rows, m),
          search_(state_),
          looks_(n) {}

    void fill(std::int64_t first, std::int64_t last) override {
        Scratch work(work_.rows, columns_, work_.narrow);
        for (std::int64_t i = first; i < last; i++) lists_.rebuild(work, static_cast<std::int32_t>(i));
    }

    void best_listed(void* out) const override {
        for (std::size_t i = 0; i < state_.column.size(); i++) {
            P best = lowest<P>;
            lists_.for_listed(static_cast<std::int32_t>(i), [&](std::int32_t, P benefit) {
                best = std::max(best, benefit);
                return false;
            });
            static_cast<P*>(out)[i] = best;
        }
    }

    void open() override {
        state_.open();
        at_ = kept_ = 0;
        bidder_ = -1;
        reduction_bids_ = 0;
    }

    void bid(double epsilon, std::int64_t most_bids, Limits& limits) override {
        auto& waiting = state_.waiting;
        const auto step = static_cast<P>(epsilon);
        while (!waiting.empty() && bids < most_bids && !limits.spend(0)) {
            const int size = static_cast<int>(std::min<std::size_t>(waiting.size(), BidBatch<P>::most));
            // Prices that rise fast make lists worthless: go on making them only while they are used.
            const bool useful = lists_used_ >= lists_wasted_;
            for (int q = 0; q < size; q++) {
                auto& item = batch_.item[q];
                item.row = state_.next();
                item.listing = useful || ((row_scans + q) & 15) == 0;
                item.listed = lists_.length[item.row] > 0;
            }
            batch_.look_at_all(size, [&](auto& item) { look(item, work_); });
            for (int q = 0; q < size; q++) take_bid(batch_.item[q], step, limits);
            // A row that is outbid, or put off, bids next.
            std::reverse(back_.begin(), back_.end());
            waiting.insert(waiting.end(), back_.begin(), back_.end());
            back_.clear();
        }
    }

    void open_help() override { batch_.open(); }
    void close_help() override { batch_.close(); }
    bool stalled() const override { return batch_.stalled(); }
    void help() override {
        Scratch work(work_.rows, columns_, work_.narrow);
        batch_.help([&](auto& item) { look(item, work); });
    }

    void make_room() override { narrow_.reset(new float[state_.column.size() * columns_]); }

    void copy_narrow(std::int64_t first, std::int64_t last) override {
        if constexpr (!std::is_same_v<Rows, PointRows>) {
            Rows rows = work_.rows;
            for (std::int64_t i = first; i < last; i++) {
                const auto* row = rows.row(i);
                for (std::int64_t j = 0; j < columns_; j++) narrow_[i * columns_ + j] = static_cast<float>(row[j]);
            }
        }
    }

    void use_narrow() override { work_.narrow = narrow_.get(); }

    void round_prices() override {
        if constexpr (std::is_same_v<P, double>)
            for (P& price : state_.price) price = std::ceil(price);
    }

    bool reduce_rows(std::int64_t most, Limits& limits) override {
        auto& waiting = state_.waiting;
        const auto keep = [&](std::int32_t i) { waiting[kept_++] = i; };
        // The stack becomes a list to go through; rows that are outbid go on at once, and those that tie are kept for
        // the paths: bidding nothing against nothing would never end.
        while (at_ < waiting.size() || bidder_ >= 0) {
            if (limits.spend(0)) return false;
            const std::int32_t i = bidder_ >= 0 ? bidder_ : waiting[at_++];
            bidder_ = -1;
            if (reduction_bids_++ >= most) {
                keep(i);
                continue;
            }
            const BestTwo<P> best = best_two(i, limits);
            std::int32_t j = best.column;
            if (j >= 0 && state_.owner[j] >= 0) {
                if (best.other < 0)
                    j = -1;
                else if (!(best.first > best.second))
                    j = state_.owner[best.other] < 0 ? best.other : -1;
            }
            if (j < 0) {
                keep(i);
                continue;
            }
            bidder_ = state_.owner[j];
            search_.worth[i] = best.first;
            if (bidder_ >= 0) {  // only what is fought for becomes dearer: a free column keeps its price
                state_.price[j] += best.first - best.second;
                search_.worth[i] = best.second;
                state_.column[bidder_] = -1;
            }
            state_.owner[j] = i;
            state_.column[i] = j;
        }
        waiting.resize(kept_);
        return true;
    }

    Paths augment(Limits& limits) override {
        Source source{*this, limits};
        while (!state_.waiting.empty()) {
            if (limits.spend(0)) return Paths::more_to_do;
            if (!search_.match(source, state_.waiting.back())) return Paths::row_unmatchable;
            if (search_.dearest > highest<P> / 4) return Paths::prices_too_large;
            state_.waiting.pop_back();
            searches = search_.searches;
        }
        return Paths::all_matched;
    }

    void* prices() override { return state_.price.data(); }
    const std::int32_t* column() const override { return state_.column.data(); }
    std::int64_t waiting() const override { return static_cast<std::int64_t>(state_.waiting.size()); }

  private:
    using Item = typename BidBatch<P>::Item;

    /// What a look at a list counts as, in entries: it is not read in order.
    static constexpr int list_entries = 128;

    /// Where a search finds the pairs of a row: in its list, then in a new one, then in the row itself.
    struct Source {
        ListSolveOf& solve;
        Limits& limits;

        template <class Visit>
        P enter(std::int32_t i, Visit& visit) {
            solve.looks_[i] = 0;
            limits.work += list_entries;
            solve.lists_.for_listed(i, visit);
            return solve.lists_.threshold[i];
        }

        template <class Visit>
        P again(std::int32_t i, Visit& visit) {
            solve.row_scans++;
            limits.work += solve.columns_;
            if (solve.looks_[i]++ == 0) {
                solve.lists_.rebuild(solve.work_, i);
                solve.lists_.for_listed(i, visit);
                return solve.lists_.threshold[i];
            }
            solve.work_.with_row(i, [&](const auto* row) {
                for (std::int64_t j = 0; j < solve.columns_; j++) {
                    const P x = solve.work_.rows.sign * static_cast<P>(row[j]);
                    if (x > lowest<P> && visit(static_cast<std::int32_t>(j), x)) break;
                }
            });
            return lowest<P>;
        }
    };

    void look(Item& item, Scratch& work) {
        item.looks = 0;
        item.best = lists_.best_two(work, item.row, item.listing, item.looks);
        item.price = state_.price[item.best.column];
    }

    /// Lets a row bid; one whose column has become dearer from its list at the current prices, or later.
    void take_bid(const Item& item, P epsilon, Limits& limits) {
        const std::int32_t i = item.row;
        limits.work += list_entries + item.looks * columns_;
        bids++;
        row_scans += item.looks;
        if (item.looks == 0)
            lists_used_++;
        else
            note_wasted_list(item);
        BestTwo<P> best = item.best;
        if (state_.price[best.column] != item.price) {
            best = lists_.best_listed(i);
            if (best.column < 0 || best.second < lists_.threshold[i]) {
                back_.push_back(i);
                return;
            }
        }
        const std::int32_t j = best.column, before = state_.owner[j];
        state_.price[j] += best.first - best.second + epsilon;
        state_.owner[j] = i;
        state_.column[i] = j;
        if (before < 0) return;
        state_.column[before] = -1;
        back_.push_back(before);
    }

    /// Counts a list that was of no use; one that was not made anew is none any more.
    void note_wasted_list(const Item& item) {
        lists_wasted_ += item.listed;
        if (!item.listing) lists_.length[item.row] = 0;
        if (lists_wasted_ > 256) lists_wasted_ /= 2, lists_used_ /= 2;
    }

    BestTwo<P> best_two(std::int32_t i, Limits& limits) {
        int looks = 0;
        const BestTwo<P> best = lists_.best_two(work_, i, true, looks);
        row_scans += looks;
        limits.work += list_entries + looks * columns_;
        return best;
    }

    std::int64_t columns_;
    Matching<P> state_;
    CandidateLists<Rows> lists_;
    std::unique_ptr<float[]> narrow_;
    Scratch work_;
    PathSearch<P> search_;
    BidBatch<P> batch_;
    std::vector<std::uint8_t> looks_;                 // how often a row of the tree has come back
    std::vector<std::int32_t> back_;                  // rows that bid next
    std::int64_t lists_used_ = 0, lists_wasted_ = 0;  // of late
    std::size_t at_ = 0, kept_ = 0;                   // in row reduction: the next row, and those kept for the paths
    std::int32_t bidder_ = -1;                        // the row that was outbid, -1 for none
    std::int64_t reduction_bids_ = 0;
};

std::unique_ptr<ListSolve> make(const Benefits& benefits, int listed) {
    return with_rows(benefits, [&](const auto& rows) -> std::unique_ptr<ListSolve> {
        return std::make_unique<ListSolveOf<std::decay_t<decltype(rows)>>>(rows, benefits.rows, benefits.columns,
                                                                           listed);
    });
}

void best_net_values(const Benefits& benefits, const void* prices, std::int64_t first, std::int64_t last, void* out) {
    with_rows(benefits, [&](auto rows) {
        using P = typename decltype(rows)::Price;
        const Prices<P> price{static_cast<const P*>(prices)};
        for (std::int64_t i = first; i < last; i++)
            static_cast<P*>(out)[i] = best_column(rows.row(i), rows.sign, benefits.columns, price).net;
    });
}

}  // namespace

const assignment::ListKernels& kernels(const assignment::ListKernels*) {
    static constexpr assignment::ListKernels table{.make = make, .best_net_values = best_net_values};
    return table;
}

}  // namespace prunus::PRUNUS_SET
