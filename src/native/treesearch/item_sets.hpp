// Sets of items: a bit an item in 32-bit words, of which a problem has as many as its items take.
#pragma once

#include <bit>
#include <cstdint>
#include <memory>

namespace prunus::PRUNUS_SET {

using Word = std::uint32_t;

constexpr int words_for(int items) { return (items + 31) / 32; }

/// A set in somebody's memory. `Words` is their number where the compiler is to know it, else 0.
template <int Words>
struct ItemSet {
    Word* word;
    int count;

    int words() const { return Words > 0 ? Words : count; }

    bool contains(int item) const { return word[item >> 5] >> (item & 31) & 1; }
    void insert(int item) const { word[item >> 5] |= Word{1} << (item & 31); }
    void remove(int item) const { word[item >> 5] &= ~(Word{1} << (item & 31)); }

    void copy(ItemSet other) const {
        for (int w = 0; w < words(); w++) word[w] = other.word[w];
    }

    void clear() const {
        for (int w = 0; w < words(); w++) word[w] = 0;
    }

    /// Makes it the items below a number.
    void fill(int items) const {
        for (int w = 0; w < words(); w++) {
            const int left = items - 32 * w;
            word[w] = left >= 32 ? ~Word{0} : left > 0 ? (Word{1} << left) - 1 : 0;
        }
    }

    int size() const {
        int total = 0;
        for (int w = 0; w < words(); w++) total += std::popcount(word[w]);
        return total;
    }

    /// The lowest item, or -1.
    int lowest() const {
        for (int w = 0; w < words(); w++)
            if (word[w] != 0) return 32 * w + std::countr_zero(word[w]);
        return -1;
    }

    /// The highest item, or -1.
    int highest() const {
        for (int w = words() - 1; w >= 0; w--)
            if (word[w] != 0) return 32 * w + 31 - std::countl_zero(word[w]);
        return -1;
    }

    /// How many items are smaller than this one.
    int rank(int item) const {
        int total = 0;
        for (int w = 0; w < item >> 5; w++) total += std::popcount(word[w]);
        return total + std::popcount(word[item >> 5] & ((Word{1} << (item & 31)) - 1));
    }

    /// Calls with each item in increasing order until that returns false.
    template <class Each>
    void visit(Each each) const {
        for (int w = 0; w < words(); w++)
            for (Word left = word[w]; left != 0; left &= left - 1)
                if (!each(32 * w + std::countr_zero(left))) return;
    }

    /// The item that has `rank` smaller ones.
    int nth(int rank) const {
        int found = -1;
        visit([&](int item) {
            found = item;
            return rank-- > 0;
        });
        return found;
    }

    /// Removes what has a rank outside first .. last - 1 among the items of another set.
    void keep_ranks(ItemSet among, int first, int last) const {
        int rank = 0;
        among.visit([&](int item) {
            if (rank < first || rank >= last) remove(item);
            rank++;
            return true;
        });
    }
};

/// A set for each level of a tree.
template <int Words>
class SetRows {
  public:
    SetRows(int rows, int items)
        : count_(words_for(items)), memory_(new Word[static_cast<std::size_t>(rows) * words()]()) {}

    int words() const { return Words > 0 ? Words : count_; }
    ItemSet<Words> operator[](int row) const {
        return {memory_.get() + static_cast<std::ptrdiff_t>(row) * words(), count_};
    }

  private:
    int count_;
    std::unique_ptr<Word[]> memory_;
};

}  // namespace prunus::PRUNUS_SET
