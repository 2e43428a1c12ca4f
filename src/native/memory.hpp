// Arrays that begin where a cache line begins: a register that lies across two lines is read twice.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace prunus::PRUNUS_SET {

template <class T>
struct AlignedAllocator {
    using value_type = T;
    static constexpr std::align_val_t line{64};

    AlignedAllocator() = default;
    template <class U>
    AlignedAllocator(const AlignedAllocator<U>&) {}

    T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), line)); }
    void deallocate(T* from, std::size_t) { ::operator delete(from, line); }
    bool operator==(const AlignedAllocator&) const { return true; }
};

template <class T>
using Aligned = std::vector<T, AlignedAllocator<T>>;

}  // namespace prunus::PRUNUS_SET
