#include <nanobind/stl/tuple.h>

#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "treesearch/batches.hpp"

namespace nb = nanobind;

namespace prunus {

void bind_interval_batches(nb::module_& m);

namespace {

using treesearch::Batch;
using treesearch::BatchKernels;
using treesearch::PackedPaths;

/// Digits, directions, depth, end level, end digit: the fields of `Intervals`.
using Fields = std::tuple<Array<std::uint32_t, 2>, Array<std::uint8_t, 2>, Array<std::int32_t>, Array<std::int32_t>,
                          Array<std::int32_t>>;
/// Numbers of any width, as bytes.
using Bytes = Array<const std::uint8_t>;
using Whole = Array<const std::int64_t>;

Batch view(const Fields& fields) {
    const auto& [digits, directions, depth, end_level, end_digit] = fields;
    const std::size_t count = depth.size();
    if (digits.shape(0) != count || directions.shape(0) != count || digits.shape(1) != directions.shape(1) ||
        end_level.size() != count || end_digit.size() != count)
        throw std::invalid_argument("intervals of different numbers");
    const Batch batch{static_cast<std::int64_t>(count),
                      static_cast<int>(digits.shape(1)),
                      digits.data(),
                      directions.data(),
                      depth.data(),
                      end_level.data(),
                      end_digit.data()};
    for (std::size_t i = 0; i < count; i++)
        if (depth(i) < 0 || depth(i) > batch.levels || end_level(i) < 0 || end_level(i) >= batch.levels)
            throw std::invalid_argument("intervals of another tree");
    return batch;
}

/// Paths with so many digits; they are written to by `pack` alone.
template <class Digits, class Directions>
PackedPaths paths(const Digits& digits, int width, std::int64_t count, const Directions& directions, std::size_t rows,
                  int levels) {
    if ((width != 1 && width != 2 && width != 4 && width != 8) ||
        digits.size() != static_cast<std::size_t>(width) * count || directions.shape(0) != rows ||
        directions.shape(1) != static_cast<std::size_t>(levels + 7) / 8)
        throw std::invalid_argument("paths of different numbers");
    return {const_cast<std::uint8_t*>(digits.data()), width, const_cast<std::uint8_t*>(directions.data())};
}

template <class Digits, class Directions>
PackedPaths paths(const Digits& digits, int width, const Directions& directions, const Batch& batch) {
    std::int64_t total = 0;
    for (std::int64_t i = 0; i < batch.count; i++) total += batch.depth[i];
    return paths(digits, width, total, directions, batch.count, batch.levels);
}

std::int64_t audit(const Bytes& digits, int width, const Array<const std::uint8_t, 2>& directions,
                   const std::tuple<Whole, Whole, Whole>& ends, const Whole& radix, Array<std::int64_t> counts) {
    const auto& [depth, end_level, end_digit] = ends;
    const std::size_t count = depth.size();
    const int levels = static_cast<int>(radix.size());
    if (end_level.size() != count || end_digit.size() != count || counts.size() != radix.size() + 1)
        throw std::invalid_argument("intervals of different numbers");
    std::int64_t total = 0;
    for (std::size_t i = 0; i < count; i++) {
        if (depth(i) < 0 || depth(i) > levels) return static_cast<std::int64_t>(i);
        total += depth(i);
    }
    const PackedPaths packed = paths(digits, width, total, directions, count, levels);
    return kernels<BatchKernels>().audit(packed, static_cast<std::int64_t>(count), levels, depth.data(),
                                         end_level.data(), end_digit.data(), radix.data(), counts.data());
}

void decode(const Array<const std::uint32_t, 2>& heads, const Array<const std::uint8_t, 2>& items, int words,
            const Fields& fields) {
    const Batch batch = view(fields);
    const auto levels = static_cast<std::size_t>(batch.levels);
    const std::size_t width = items.shape(1) / std::max<std::size_t>(levels, 1);
    const std::size_t count = static_cast<std::size_t>(batch.count);
    if (heads.shape(0) != count || items.shape(0) != count || items.shape(1) != width * levels ||
        (width != 1 && width != 2) || words < 1 || heads.shape(1) < 1 + 2 * words + (levels + 31) / 32)
        throw std::invalid_argument("entries of another tree");
    for (std::size_t i = 0; i < count; i++) {
        std::uint32_t waiting = 0;
        for (int w = 0; w < words; w++) waiting |= heads(i, 1 + w);
        if ((heads(i, 0) & 0xffff) >= levels || waiting == 0) throw std::invalid_argument("no entries");
    }
    const treesearch::Entries entries{words, static_cast<int>(heads.shape(1)), static_cast<int>(width), heads.data(),
                                      items.data()};
    kernels<BatchKernels>().decode(entries, batch);
}

}  // namespace

void bind_interval_batches(nb::module_& m) {
    m.def(
        "pack",
        [](const Fields& intervals, Array<std::uint8_t> digits, int width, Array<std::uint8_t, 2> directions) {
            const Batch batch = view(intervals);
            kernels<BatchKernels>().pack(batch, paths(digits, width, directions, batch));
        },
        nb::arg("intervals"), nb::arg("digits"), nb::arg("width"), nb::arg("directions"),
        "Write paths one after another, in numbers of so many bytes, and zeroed directions as bits.");
    m.def(
        "unpack",
        [](const Bytes& digits, int width, const Array<const std::uint8_t, 2>& directions, const Fields& intervals) {
            const Batch batch = view(intervals);
            kernels<BatchKernels>().unpack(paths(digits, width, directions, batch), batch);
        },
        nb::arg("digits"), nb::arg("width"), nb::arg("directions"), nb::arg("intervals"),
        "Undo ``pack``, into zeroed intervals whose depths are given.");
    m.def(
        "measure",
        [](const Fields& intervals, Array<std::int64_t> counts) {
            const Batch batch = view(intervals);
            if (counts.size() != static_cast<std::size_t>(batch.levels) + 1) throw std::invalid_argument("no counts");
            kernels<BatchKernels>().measure(batch, counts.data());
        },
        nb::arg("intervals"), nb::arg("counts"),
        "Add up, level by level, how many children's leaves the intervals have; whole trees last.");
    m.def("audit", &audit, nb::arg("digits"), nb::arg("width"), nb::arg("directions"), nb::arg("ends"),
          nb::arg("radix"), nb::arg("counts"),
          "Measure packed intervals: depths, end levels, end digits.\n\n"
          "Returns the first that is none of the tree, or -1.");
    m.def("decode", &decode, nb::arg("heads"), nb::arg("items"), nb::arg("words"), nb::arg("intervals"),
          "Write the intervals of a GPU's entries, whose items are numbers of 1 or 2 bytes.");
}

}  // namespace prunus
