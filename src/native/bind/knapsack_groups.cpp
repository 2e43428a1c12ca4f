#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "arrays.hpp"
#include "knapsack.hpp"
#include "knapsack/groups.hpp"
#include "look.hpp"

namespace nb = nanobind;

namespace prunus {
namespace {

using namespace knapsack;

const GroupKernels& grouping() { return kernels<GroupKernels>(); }

const Counts& checked(const Groups& groups, const Counts& counts) {
    if (counts.size() != groups.groups.size()) throw std::invalid_argument("a count for each group");
    for (std::size_t c = 0; c < counts.size(); c++)
        if (counts[c] < 0 || counts[c] > groups.groups[c].most) throw std::invalid_argument("no such count");
    return counts;
}

std::vector<std::int64_t> numbers(const std::vector<GroupItem>& items) {
    std::vector<std::int64_t> found;
    for (const GroupItem& item : items) found.push_back(item.number);
    return found;
}

}  // namespace

void bind_knapsack_groups(nb::module_& m) {
    m.attr("GROUP_SCALE") = group_scale;
    const GroupLimits usual;
    nb::class_<GroupsFound>(m, "GroupsFound", "How far a search over counts came.")
        .def_ro("done", &GroupsFound::done, "Whether the best value known is optimal.")
        .def_ro("value", &GroupsFound::value)
        .def_ro("limit", &GroupsFound::limit, "No choice is worth more.")
        .def_ro("sums", &GroupsFound::sums, "Sums of weight.")
        .def_ro("vectors", &GroupsFound::vectors, "Vectors of counts that were filled.")
        .def_prop_ro(
            "improved", [](const GroupsFound& self) { return !self.chosen.empty(); },
            "Whether the best choice was found here, and not given.")
        .def("chosen", [](const GroupsFound& self) { return Choice{self.value, self.chosen}; });
    nb::class_<Groups>(m, "Groups", "Items in classes of nearly equal weight, and free ones.")
        .def(
            "search",
            [](const Groups& self, std::int64_t value, std::int64_t limit, const nb::object& look, std::int64_t sums,
               std::int64_t coarser, std::int64_t work, std::int64_t slice, std::int64_t vectors, int refused) {
                if (slice < 1 || coarser < 1) throw std::invalid_argument("slices and factors are positive");
                const GroupLimits limits{sums, coarser, work, slice, vectors, refused};
                return PythonLook(look).run(
                    [&](Look ask) { return grouping().search(self, value, limit, limits, ask); });
            },
            nb::arg("value"), nb::arg("limit"), nb::arg("look") = nb::none(), nb::arg("sums") = usual.sums,
            nb::arg("coarser") = usual.coarser, nb::arg("work") = usual.work, nb::arg("slice") = usual.slice,
            nb::arg("vectors") = usual.vectors, nb::arg("refused") = usual.refused,
            "Seek choices worth more than value, which is known to be reached; none is worth more than limit.\n\n"
            "Gives up at more than so many sums after a group on a grid twice so many times coarser, at more looks at\n"
            "sums for a group, or where more vectors of counts come near the bound on the finest grid; looks between\n"
            "slices of looks at sums. refused says how often vectors are taken for too many, for tests.")
        .def_prop_ro(
            "free", [](const Groups& self) { return numbers(self.free); }, "The items in no group.")
        .def_prop_ro(
            "members",
            [](const Groups& self) {
                std::vector<std::vector<std::int64_t>> found;
                for (const Group& group : self.groups) found.push_back(numbers(group.items));
                return found;
            },
            "The items of each group.")
        .def_prop_ro(
            "most",
            [](const Groups& self) {
                std::vector<std::int64_t> found;
                for (const Group& group : self.groups) found.push_back(group.most);
                return found;
            },
            "How many items of each group fit.")
        .def(
            "least",
            [](const Groups& self, const Counts& counts) {
                const PricedCounts found = grouping().least(self, checked(self, counts));
                return std::make_tuple(found.price, found.bound);
            },
            nb::arg("counts"), "The price with the least bound of some counts, and that, times the scale.")
        .def(
            "bound_at",
            [](const Groups& self, const Counts& counts, std::int64_t price) {
                return grouping().bound_at(self, checked(self, counts), price);
            },
            nb::arg("counts"), nb::arg("price"))
        .def(
            "fill",
            [](const Groups& self, const Counts& counts, std::int64_t price, std::int64_t bound,
               std::int64_t least) -> std::optional<Choice> {
                Choice found = grouping().fill(self, checked(self, counts), {price, bound}, least);
                return found.value < 0 ? std::nullopt : std::optional(std::move(found));
            },
            nb::arg("counts"), nb::arg("price"), nb::arg("bound"), nb::arg("least"),
            "The best choice with such counts, if it is worth so much at least.")
        .def(
            "near",
            [](const Groups& self, std::int64_t grid, std::int64_t least) {
                if (grid < 1) throw std::invalid_argument("a grid is positive");
                const CountsFound found = grouping().near(self, grid, least);
                return std::make_tuple(found.bound, found.counts, found.bounds);
            },
            nb::arg("grid"), nb::arg("least"),
            "The bound over all counts, those whose own is at least so much, times the scale, and their bounds.");
    m.def(
        "classify", [](const Items& items) { return grouping().classify(items); }, nb::arg("items"),
        "Sort items into classes of nearly equal weight; None if their weights form none.");
}

}  // namespace prunus
