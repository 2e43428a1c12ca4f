// A heap of items by their distance, four below each; an item's distance may fall while it is in it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace prunus::PRUNUS_SET {

template <class P>
class PathHeap {
  public:
    /// For items below `count`; `distance` is where their distances stand.
    PathHeap(std::int64_t count, const P* distance) : distance_(distance), item_(count), place_(count), key_(count) {}

    bool empty() const { return size_ == 0; }
    P nearest() const { return key_[0]; }
    std::int32_t front() const { return item_[0]; }
    void clear() { size_ = 0; }

    void push(std::int32_t item) { sift_up(size_++, item); }

    /// Moves an item that is in the heap, and has come nearer.
    void move_up(std::int32_t item) { sift_up(place_[item], item); }

    std::int32_t pop() {
        const std::int32_t taken = item_[0], last = item_[--size_];
        const P key = key_[size_];
        std::int32_t at = 0;
        while (true) {
            const std::int32_t first = 4 * at + 1, end = std::min(first + 4, size_);
            if (first >= end) break;
            std::int32_t down = first;
            for (std::int32_t k = first + 1; k < end; k++) down = key_[k] < key_[down] ? k : down;
            if (!(key_[down] < key)) break;
            put(at, item_[down], key_[down]);
            at = down;
        }
        put(at, last, key);
        return taken;
    }

  private:
    void sift_up(std::int32_t at, std::int32_t item) {
        const P key = distance_[item];
        while (at > 0) {
            const std::int32_t up = (at - 1) / 4;
            if (!(key < key_[up])) break;
            put(at, item_[up], key_[up]);
            at = up;
        }
        put(at, item, key);
    }

    void put(std::int32_t at, std::int32_t item, P key) {
        item_[at] = item;
        key_[at] = key;
        place_[item] = at;
    }

    const P* distance_;
    std::vector<std::int32_t> item_, place_;  // in the heap's order, and where each item is
    std::vector<P> key_;                      // the distances once more, in the heap's order
    std::int32_t size_ = 0;
};

}  // namespace prunus::PRUNUS_SET
