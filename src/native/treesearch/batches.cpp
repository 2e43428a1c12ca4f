#include "treesearch/batches.hpp"

#include <algorithm>
#include <type_traits>
#include <vector>

#include "treesearch/item_sets.hpp"

namespace prunus::PRUNUS_SET {
namespace {

using treesearch::Batch;
using treesearch::Entries;
using treesearch::PackedPaths;

/// Calls with an address as one of numbers of so many bytes.
template <class Pointer, class Call>
auto with_width(Pointer address, int bytes, Call call) {
    const auto as = [&]<class T>(T) {
        if constexpr (std::is_const_v<std::remove_pointer_t<Pointer>>)
            return call(static_cast<const T*>(address));
        else
            return call(static_cast<T*>(address));
    };
    if (bytes == 1) return as(std::uint8_t{});
    if (bytes == 2) return as(std::uint16_t{});
    if (bytes == 4) return as(std::uint32_t{});
    return as(std::uint64_t{});
}

void pack(const Batch& batch, PackedPaths packed) {
    const int bytes = (batch.levels + 7) / 8;
    with_width(packed.digits, packed.digit_bytes, [&]<class Digit>(Digit* flat) {
        for (std::int64_t i = 0; i < batch.count; i++)
            for (int d = 0; d < batch.depth[i]; d++) {
                *flat++ = static_cast<Digit>(batch.digits[i * batch.levels + d]);
                packed.directions[i * bytes + d / 8] |=
                    static_cast<std::uint8_t>(batch.directions[i * batch.levels + d] << d % 8);
            }
    });
}

void unpack(PackedPaths packed, const Batch& batch) {
    const int bytes = (batch.levels + 7) / 8;
    with_width(packed.digits, packed.digit_bytes, [&](const auto* flat) {
        for (std::int64_t i = 0; i < batch.count; i++)
            for (int d = 0; d < batch.depth[i]; d++) {
                batch.digits[i * batch.levels + d] = static_cast<std::uint32_t>(*flat++);
                batch.directions[i * batch.levels + d] = packed.directions[i * bytes + d / 8] >> d % 8 & 1;
            }
    });
}

/// Adds what one interval has to the counts.
template <class Digit>
void add(const Digit* digits, int depth, int end_level, std::int64_t end_digit, int levels, std::int64_t* counts) {
    if (depth == 0) {
        counts[levels]++;
        return;
    }
    counts[end_level] += end_digit - static_cast<std::int64_t>(digits[end_level]);
    for (int d = end_level + 1; d < depth; d++) counts[d] -= static_cast<std::int64_t>(digits[d]);
}

void measure(const Batch& batch, std::int64_t* counts) {
    for (std::int64_t i = 0; i < batch.count; i++)
        add(batch.digits + i * batch.levels, batch.depth[i], batch.end_level[i], batch.end_digit[i], batch.levels,
            counts);
}

std::int64_t audit(PackedPaths packed, std::int64_t count, int levels, const std::int64_t* depth,
                   const std::int64_t* end_level, const std::int64_t* end_digit, const std::int64_t* radix,
                   std::int64_t* counts) {
    return with_width(packed.digits, packed.digit_bytes, [&](const auto* path) -> std::int64_t {
        for (std::int64_t i = 0; i < count; i++) {
            const std::int64_t deep = depth[i], last = end_level[i];
            if (deep < 0 || deep > levels || last < 0 || last >= std::max<std::int64_t>(1, deep)) return i;
            for (int d = 0; d < deep; d++)
                if (path[d] >= static_cast<std::uint64_t>(radix[d])) return i;
            if (deep > 0 && (static_cast<std::int64_t>(path[last]) >= end_digit[i] || end_digit[i] > radix[last]))
                return i;
            add(path, static_cast<int>(deep), static_cast<int>(last), end_digit[i], levels, counts);
            path += deep;
        }
        return -1;
    });
}

void decode(const Entries& entries, const Batch& batch) {
    std::vector<Word> memory(entries.words);
    const ItemSet<0> free{memory.data(), entries.words};
    const int levels = batch.levels;
    with_width(entries.paths, entries.item_bytes, [&](const auto* paths) {
        for (std::int64_t i = 0; i < batch.count; i++) {
            auto* head = const_cast<Word*>(entries.heads) + i * entries.head_words;  // only read
            const ItemSet<0> waiting{head + 1, entries.words}, backward{head + 1 + 2 * entries.words, 0};
            const int level = head[0] & 0xffff;
            std::uint32_t* digits = batch.digits + i * levels;
            free.fill(32 * entries.words);
            for (int d = 0, behind = 0; d < level; d++) {
                const bool back = backward.contains(d);
                const auto found = static_cast<int>(paths[i * levels + (back ? levels - 1 - behind : d - behind)]);
                const int item = std::min(found, 32 * entries.words - 1);
                behind += back;
                digits[d] = static_cast<std::uint32_t>(free.rank(item));
                batch.directions[i * levels + d] = back;
                free.remove(item);
            }
            digits[level] = static_cast<std::uint32_t>(free.rank(waiting.lowest()));
            batch.directions[i * levels + level] = static_cast<std::uint8_t>(head[0] >> 16);
            batch.depth[i] = level + 1;
            batch.end_level[i] = level;
            batch.end_digit[i] = free.rank(waiting.highest()) + 1;
        }
    });
}

}  // namespace

const treesearch::BatchKernels& kernels(const treesearch::BatchKernels*) {
    static constexpr treesearch::BatchKernels table{
        .pack = pack, .unpack = unpack, .measure = measure, .audit = audit, .decode = decode};
    return table;
}

}  // namespace prunus::PRUNUS_SET
