// Prices, the assignment so far, and the rows that are still to be matched.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace prunus::PRUNUS_SET {

template <class P>
struct Matching {
    /// With all prices 0 and no row assigned; `beyond` prices more can be read.
    Matching(std::int64_t rows, std::int64_t columns, int beyond = 0)
        : price(columns + beyond), owner(columns, -1), column(rows, -1) {}

    /// Unassigns all rows; the prices stay.
    void open() {
        std::fill(owner.begin(), owner.end(), -1);
        std::fill(column.begin(), column.end(), -1);
        waiting.resize(column.size());
        for (std::size_t k = 0; k < waiting.size(); k++) waiting[k] = static_cast<std::int32_t>(waiting.size() - 1 - k);
    }

    /// Takes the next row that waits.
    std::int32_t next() {
        const std::int32_t i = waiting.back();
        waiting.pop_back();
        return i;
    }

    /// Gives a column to a row; the one that had it waits.
    void give(std::int32_t i, std::int32_t j) {
        const std::int32_t before = owner[j];
        owner[j] = i;
        column[i] = j;
        if (before < 0) return;
        column[before] = -1;
        waiting.push_back(before);
    }

    std::vector<P> price;               // of the columns
    std::vector<std::int32_t> owner;    // the row of each column, -1 for none
    std::vector<std::int32_t> column;   // of each row, -1 for none
    std::vector<std::int32_t> waiting;  // a stack of rows without a column
};

}  // namespace prunus::PRUNUS_SET
