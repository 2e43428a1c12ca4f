#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/variant.h>

#include <stdexcept>

#include "arrays.hpp"
#include "knapsack.hpp"
#include "knapsack/dense.hpp"
#include "look.hpp"

namespace nb = nanobind;

namespace prunus {
namespace {

using namespace knapsack;

ItemSpan span(const Array<const std::int64_t>& w, const Array<const std::int64_t>& p) {
    if (p.size() != w.size()) throw std::invalid_argument("weights and profits of different numbers");
    for (std::size_t j = 0; j < w.size(); j++)
        if (w(j) <= 0) throw std::invalid_argument("weights are positive");
    return {w.data(), p.data(), static_cast<std::int64_t>(w.size())};
}

}  // namespace

void bind_knapsack_dense(nb::module_& m) {
    nb::enum_<DenseStop>(m, "DenseStop", "How the dense recursion ended.")
        .value("DONE", DenseStop::done)
        .value("STOPPED", DenseStop::stopped)
        .value("MEMORY", DenseStop::memory);
    const DenseLimits usual;
    nb::class_<DenseLimits>(m, "DenseLimits", "What the dense recursion may take, and how it is cut.")
        .def(nb::init<int, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t,
                      std::int64_t, std::int64_t>(),
             nb::arg("threads"), nb::arg("memory"), nb::arg("limit"), nb::arg("tile_cells") = usual.tile_cells,
             nb::arg("reach_cells") = usual.reach_cells, nb::arg("slice_cells") = usual.slice_cells,
             nb::arg("shared_cells") = usual.shared_cells, nb::arg("apart_weight") = usual.apart_weight,
             nb::arg("bit_bytes") = usual.bit_bytes,
             "Threads, bytes, and what no choice is worth more than; then cells of a tile, how far the items of a\n"
             "pass reach, cells between two looks, cells and weights from which threads share a pass, and bytes of\n"
             "decision bits from which items are halved.")
        .def_rw("threads", &DenseLimits::threads);
    nb::class_<DenseCost>(m, "DenseCost", "What the recursion would cost.")
        .def_ro("cells", &DenseCost::cells, "Of the table.")
        .def_ro("work", &DenseCost::work, "Cells to compute until the items are known as well.")
        .def_ro("heavy_cells", &DenseCost::heavy_cells, "Cells of heavy items.")
        .def_ro("fits", &DenseCost::fits, "Whether the table fits in memory.");
    m.def(
        "dense_cost",
        [](const Array<const std::int64_t>& w, const Array<const std::int64_t>& p, std::int64_t capacity,
           const DenseLimits& limits,
           std::int64_t heavy) { return kernels<DenseKernels>().cost(span(w, p), capacity, heavy, limits); },
        nb::arg("weights"), nb::arg("profits"), nb::arg("capacity"), nb::arg("limits"), nb::arg("heavy") = INT64_MAX,
        "What a choice of items would cost.");
    m.def(
        "dense_choice",
        [](const Array<const std::int64_t>& w, const Array<const std::int64_t>& p, std::int64_t capacity,
           const DenseLimits& limits, const nb::object& look) {
            const ItemSpan items = span(w, p);
            const DenseChoice found = PythonLook(look).run(
                [&](Look ask) { return kernels<DenseKernels>().choose(items, capacity, limits, ask); });
            return std::make_tuple(found.stop, array_of(found.chosen));
        },
        nb::arg("weights"), nb::arg("profits"), nb::arg("capacity"), nb::arg("limits"), nb::arg("look") = nb::none(),
        "The items of a best choice. look gets the cells computed since it was last called.");
    m.def(
        "dense_profile",
        [](const Array<const std::int64_t>& w, const Array<const std::int64_t>& p, std::int64_t capacity,
           const DenseLimits& limits, std::int64_t need, const nb::object& look) {
            const ItemSpan items = span(w, p);
            DenseProfile found = PythonLook(look).run(
                [&](Look ask) { return kernels<DenseKernels>().profile(items, capacity, need, limits, ask); });
            std::variant<Array<std::int32_t>, Array<std::int64_t>> values;
            if (found.wide.empty())
                values = array_of(std::move(found.narrow));
            else
                values = array_of(std::move(found.wide));
            std::optional<Array<std::int64_t>> chosen;
            if (found.chosen) chosen = array_of(std::move(*found.chosen));
            return std::make_tuple(found.stop, values, chosen);
        },
        nb::arg("weights"), nb::arg("profits"), nb::arg("capacity"), nb::arg("limits"), nb::arg("need") = 0,
        nb::arg("look") = nb::none(),
        "The optimum of every capacity, and the items of the last if decision bits fit; else None.\n\n"
        "Values below need are too small; later ones are worth as much as the last.");
}

}  // namespace prunus
