// A. Naiem and M. El-Beltagy, Deep greedy switching: a fast and simple approach for linear
// assignment problems (2009).
//
// Gauss-Seidel: rows are evaluated block by block in a queue, and each exchange that still gains is
// made at once; both its rows go to the end of the queue. That takes four or five evaluations a
// row; rounds take hundreds where many rows want the same few columns.
#include "assignment/switching.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using assignment::Switching;

constexpr std::int64_t block_rows = 64;

/// The price of a column is what its row loses by giving it up; a free one's row loses nothing.
template <class P>
struct Losses {
    const P* loss;  // of each row; loss[-1] is 0
    const std::int64_t* owner;

    P operator[](std::int64_t j) const { return loss[owner[j]]; }
    Register<P> load(std::int64_t j) const {
        Register<P> lanes;
        for (int k = 0; k < static_cast<int>(register_bytes / sizeof(P)); k++) lanes[k] = loss[owner[j + k]];
        return lanes;
    }
};

template <class Rows>
struct SwitchingOf final : Switching {
    using P = typename Rows::Price;

    explicit SwitchingOf(const Benefits& given) : values(given), by_rows(given), benefit(given.rows) {
        rows = given.rows, columns = given.columns;
        column.assign(rows, -1);
        owner.assign(columns, -1);
        // They are looked at where they are, so they never move.
        found.reserve(rows);
        target.reserve(rows);
    }

    void transpose(const Benefits& by_columns) override { transposed = by_columns; }

    void assign(const std::int64_t* given) override {
        owner.assign(columns, -1);
        for (std::int64_t i = 0; i < rows; i++) give(i, given[i]);
    }

    void assign_greedily(const std::int64_t* order, std::int64_t first, std::int64_t last) override {
        constexpr P taken = -lowest<P> / 2;
        if (first == 0) {
            owner.assign(columns, -1);
            price.assign(columns, 0);
        }
        for (std::int64_t q = first; q < last; q++) {
            const std::int64_t i = order[q];
            std::int64_t j = best_column(by_rows.row(i), by_rows.sign, columns, Prices<P>{price.data()}).column;
            if (owner[j] >= 0) j = std::find(owner.begin(), owner.end(), -1) - owner.begin();
            price[j] = taken;
            give(i, j);
        }
    }

    void evaluate(std::int64_t first, std::int64_t last) override {
        Rows across(values), down(transposed);
        const std::unique_ptr<P[]> memory(new P[rows + 1]);
        memory[0] = 0;
        P* loss = memory.get() + 1;
        for (std::int64_t q = first; q < last; q++) {
            const std::int64_t i = block[q];
            const auto* values_of_column = down.row(column[i]);
            const P* own = benefit.data();
            for (std::int64_t k = 0; k < rows; k++) loss[k] = own[k] - down.sign * static_cast<P>(values_of_column[k]);
            const auto best = best_column(across.row(i), across.sign, columns, Losses<P>{loss, owner.data()});
            found[q] = best.net - own[i];
            target[q] = best.column;
        }
    }

    void exchange_block(double tiny) override {
        blocks++;
        for (std::size_t q = 0; q < block.size(); q++) {
            if (!(found[q] > static_cast<P>(tiny))) continue;
            // The row, or the one it wants to swap with, may have changed since it was evaluated.
            const std::int64_t i = block[q], k = owner[target[q]];
            if (gain_of(i, target[q]) > static_cast<P>(tiny)) {
                swap(i, target[q]);
                moved[i] = blocks;
                if (k >= 0) moved[k] = blocks;
            } else if (moved[i] != blocks && (k < 0 || moved[k] != blocks)) {
                continue;  // nothing has: it gained by a rounding error
            }
            for (const std::int64_t row : {i, k})
                if (row >= 0 && !waiting[row]) {
                    waiting[row] = 1;
                    ring[end++ % rows] = row;
                }
        }
    }

    std::variant<std::int64_t, double> gain(std::int64_t i, std::int64_t j) const override { return gain_of(i, j); }

    std::int64_t exchange(std::int64_t i, std::int64_t j) override {
        const std::int64_t k = owner[j];
        swap(i, j);
        return k;
    }

    void queue(const std::int64_t* order) override {
        ring.assign(order, order + rows);
        waiting.assign(rows, 1);
        moved.assign(rows, 0);
        begin = blocks = 0;
        end = rows;
    }

    std::int64_t take_block() override {
        block.clear();
        const std::int64_t last = std::min(end, begin + std::min(block_rows, 1 + rows / 16));
        for (; begin < last; begin++) block.push_back(ring[begin % rows]);
        for (const std::int64_t i : block) waiting[i] = 0;
        make_room();
        return static_cast<std::int64_t>(block.size());
    }

    void take(const std::int64_t* some, std::int64_t count) override {
        block.assign(some, some + count);
        make_room();
    }

    void sweep(void* prices, std::int64_t first, std::int64_t last) const override {
        P* price_of = static_cast<P*>(prices);
        Rows across(values);
        for (std::int64_t i = first; i < last; i++) {
            const P best = best_column(across.row(i), across.sign, columns, Prices<P>{price_of}).net;
            const P own = benefit[i] - price_of[column[i]];
            if (best > own) price_of[column[i]] -= best - own;
        }
    }

    void* gains() override { return found.data(); }

  private:
    /// What row i gains by swapping columns with the row that has column j.
    P gain_of(std::int64_t i, std::int64_t j) const {
        const std::int64_t k = owner[j];
        if (k == i) return 0;
        if (k < 0) return by_rows.benefit(i, j) - benefit[i];
        return by_rows.benefit(i, j) + by_rows.benefit(k, column[i]) - benefit[i] - benefit[k];
    }

    void give(std::int64_t i, std::int64_t j) {
        column[i] = j;
        owner[j] = i;
        benefit[i] = by_rows.benefit(i, j);
    }

    void swap(std::int64_t i, std::int64_t j) {
        const std::int64_t k = owner[j], mine = column[i];
        owner[mine] = -1;
        if (k >= 0) give(k, mine);
        give(i, j);
        switches++;
    }

    void make_room() {
        found.resize(block.size());
        target.resize(block.size());
        evaluations += static_cast<std::int64_t>(block.size());
    }

    Benefits values, transposed{};
    Rows by_rows;
    std::vector<P> benefit, price;
    std::vector<P> found;            // the best gain of each row of the block
    std::vector<std::int64_t> ring;  // the queue
    std::int64_t begin = 0, end = 0;
    std::vector<char> waiting;        // whether a row is in the queue
    std::vector<std::int64_t> moved;  // the block in which a row last took part in an exchange
    std::int64_t blocks = 0;
};

std::unique_ptr<Switching> make(const Benefits& benefits) {
    return with_rows(benefits, [&]<class Rows>(const Rows&) -> std::unique_ptr<Switching> {
        return std::make_unique<SwitchingOf<Rows>>(benefits);
    });
}

}  // namespace

const assignment::SwitchingKernels& kernels(const assignment::SwitchingKernels*) {
    static constexpr assignment::SwitchingKernels table{.make = make};
    return table;
}

}  // namespace prunus::PRUNUS_SET
