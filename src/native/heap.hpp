// A binary heap, the least entry first. Which of equal entries comes first depends on the order of
// the calls alone, not on the standard library: node counts depend on it.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace prunus::PRUNUS_SET {

/// Puts an entry into a heap.
template <class Entry>
void push(std::vector<Entry>& heap, Entry entry) {
    std::size_t k = heap.size();
    heap.push_back(entry);
    while (k > 0 && entry < heap[(k - 1) / 2]) {
        heap[k] = heap[(k - 1) / 2];
        k = (k - 1) / 2;
    }
    heap[k] = entry;
}

/// Takes the least entry out of a heap that is not empty.
template <class Entry>
Entry pop(std::vector<Entry>& heap) {
    const Entry top = heap.front(), last = heap.back();
    heap.pop_back();
    const std::size_t size = heap.size();
    if (size == 0) return top;
    std::size_t k = 0;
    for (std::size_t child; (child = 2 * k + 1) < size; k = child) {
        if (child + 1 < size && heap[child + 1] < heap[child]) child++;
        if (!(heap[child] < last)) break;
        heap[k] = heap[child];
    }
    heap[k] = last;
    return top;
}

}  // namespace prunus::PRUNUS_SET
