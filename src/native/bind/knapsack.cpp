#include "knapsack.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include <cmath>
#include <stdexcept>

#include "arrays.hpp"
#include "knapsack/expanding_core.hpp"
#include "knapsack/outside_in.hpp"
#include "knapsack/two_lists.hpp"
#include "look.hpp"

namespace nb = nanobind;

namespace prunus {
namespace {

using namespace knapsack;

const ItemKernels& items_kernels() { return kernels<ItemKernels>(); }
const RelaxationKernels& relaxing() { return kernels<RelaxationKernels>(); }

Choice choice_of(const Items& items, std::vector<std::int64_t> chosen) {
    Choice choice{0, std::move(chosen)};
    for (const std::int64_t j : choice.items) choice.value += items.p[j];
    return choice;
}

Items given_items(const Array<const std::int64_t>& w, const Array<const std::int64_t>& p, std::int64_t capacity,
                  const std::optional<Array<const std::int64_t>>& count) {
    if (p.size() != w.size() || (count && count->size() != w.size()))
        throw std::invalid_argument("weights, profits and counts of different numbers");
    Items items;
    items.capacity = capacity;
    for (std::size_t j = 0; j < w.size(); j++) {
        if (w(j) <= 0 || p(j) <= 0 || (count && (*count)(j) <= 0)) throw std::invalid_argument("items are positive");
        items.w.push_back(w(j));
        items.p.push_back(p(j));
        items.count.push_back(count ? (*count)(j) : 1);
        items.start.push_back(static_cast<std::int64_t>(items.members.size()));
        for (std::int64_t k = 0; k < items.count.back(); k++)
            items.members.push_back(static_cast<std::int64_t>(items.members.size()));
        items.weight += w(j);
        items.profit += p(j);
    }
    return items;
}

void bind_items(nb::module_& m) {
    nb::class_<Items>(m, "Items", "Items, each of which stands for one or more of the problem's.")
        .def(
            "__init__",
            [](Items* self, const Array<const std::int64_t>& w, const Array<const std::int64_t>& p,
               std::int64_t capacity, const std::optional<Array<const std::int64_t>>& count) {
                new (self) Items(given_items(w, p, capacity, count));
            },
            nb::arg("weights"), nb::arg("profits"), nb::arg("capacity"), nb::arg("counts") = nb::none(),
            "Items with positive weights and profits.")
        .def("__len__", &Items::size)
        .def_ro("capacity", &Items::capacity, "What they may weigh together.")
        .def_ro("weight", &Items::weight, "Of all together.")
        .def_ro("profit", &Items::profit, "Of all together.")
        .def_prop_ro(
            "weights", [](const Items& self) { return view_of(self.w); }, "All positive.")
        .def_prop_ro(
            "profits", [](const Items& self) { return view_of(self.p); }, "All positive.")
        .def_prop_ro(
            "counts", [](const Items& self) { return view_of(self.count); },
            "For how many of the problem's items each stands.")
        .def(
            "choice",
            [](const Items& self, const Array<const std::int64_t>& chosen) {
                for (std::size_t k = 0; k < chosen.size(); k++)
                    if (chosen(k) < 0 || chosen(k) >= self.size()) throw std::invalid_argument("no such item");
                return choice_of(self, {chosen.data(), chosen.data() + chosen.size()});
            },
            nb::arg("chosen"), "A choice of items.")
        .def(
            "bundled", [](const Items& self) { return items_kernels().bundle(self); },
            "Tie identical items, which stand for one each, into bundles of 1, 2, 4, ... of them.")
        .def_prop_ro(
            "repetitive", [](const Items& self) { return items_kernels().repetitive(self); },
            "Whether many items are identical, by a sample.");
    nb::class_<Choice>(m, "Choice", "Some of the items.")
        .def_ro("value", &Choice::value, "Their profit.")
        .def_prop_ro("items", [](const Choice& self) { return view_of(self.items); });
    nb::class_<Reduced>(m, "Reduced", "A problem brought into form.")
        .def(
            "__init__",
            [](Reduced* self, const Array<const std::int64_t>& w, const Array<const std::int64_t>& p,
               std::int64_t capacity) {
                if (p.size() != w.size()) throw std::invalid_argument("weights and profits of different numbers");
                const auto n = static_cast<std::int64_t>(w.size());
                new (self) Reduced(items_kernels().reduce(w.data(), p.data(), n, capacity));
            },
            nb::arg("weights"), nb::arg("profits"), nb::arg("capacity"),
            "Leave out what is too heavy or worth nothing, and take common divisors out.")
        .def_ro("items", &Reduced::items, "Those that a choice is left about.")
        .def_ro("profit", &Reduced::profit, "Of the items that are in the knapsack anyway.")
        .def_ro("unit", &Reduced::unit, "A choice of value v is worth profit + unit * v.")
        .def_ro("weight_unit", &Reduced::weight_unit, "Weights and capacity were divided by it.")
        .def_prop_ro(
            "packed", [](const Reduced& self) { return view_of(self.packed); },
            "The problem's items that are in the knapsack anyway.")
        .def(
            "expand",
            [](const Reduced& self, const Items& items, const Choice& choice) {
                return array_of(items_kernels().expand(self, items, choice.items));
            },
            nb::arg("items"), nb::arg("choice"),
            "The problem's items for which a choice stands, and those packed, ascending.");
}

void bind_relaxation(nb::module_& m) {
    nb::class_<Lattice>(m, "Lattice", "A choice of weight W is worth slope * W and a multiple of step.")
        .def_ro("slope", &Lattice::slope)
        .def_ro("step", &Lattice::step)
        .def(
            "floor",
            [](const Lattice& self, double bound, double price, std::int64_t capacity, std::int64_t value) {
                return relaxing().lattice_floor(self, bound, price, capacity, value);
            },
            nb::arg("bound"), nb::arg("price"), nb::arg("capacity"), nb::arg("value"),
            "Round a bound down: no choice is worth more, if none that weighs t less than the capacity is worth more\n"
            "than bound - t * price. Not below value.");
    m.def(
        "lattice_of",
        [](const Items& items) -> std::optional<Lattice> {
            const Lattice lattice = relaxing().lattice(items);
            return lattice.step > 1 ? std::optional(lattice) : std::nullopt;
        },
        nb::arg("items"), "The lattice that weights and profits span; None if it says nothing.");
    const auto capacity_of = [](const Relaxation& r) { return r.room + r.cw[r.middle]; };
    nb::class_<Relaxation>(m, "Relaxation", "The linear relaxation of items, by falling efficiency.")
        .def(
            "__init__",
            [](Relaxation* self, const Items& items, double multiplier, std::int64_t side) {
                nb::gil_scoped_release released;
                new (self) Relaxation(relaxing().relax(items, multiplier, side));
            },
            nb::arg("items"), nb::arg("multiplier") = 0.0, nb::arg("side") = 0,
            "Solve it, with a constraint on the number of items: at most (multiplier > 0) or at least (< 0) side.")
        .def("__len__", [](const Relaxation& self) { return self.size(); })
        .def_prop_ro("order", [](const Relaxation& self) { return view_of(self.number); })
        .def_prop_ro("w", [](const Relaxation& self) { return view_of(self.w); })
        .def_prop_ro("p", [](const Relaxation& self) { return view_of(self.p); })
        .def_prop_ro("counts", [](const Relaxation& self) { return view_of(self.count); })
        .def_prop_ro(
            "e", [](const Relaxation& self) { return view_of(self.e); }, "Efficiencies; the last is 0.")
        .def_ro("middle", &Relaxation::middle, "The break item: those before it are the break solution.")
        .def_ro("room", &Relaxation::room, "The capacity that the break solution leaves.")
        .def_ro("profit", &Relaxation::profit, "Of the break solution.")
        .def_ro("multiplier", &Relaxation::multiplier)
        .def_ro("bound", &Relaxation::bound, "No choice is worth more.")
        .def_ro("slack", &Relaxation::slack, "What rounding may have taken from a bound.")
        .def_prop_ro(
            "most_count",
            [](const Relaxation& self) {
                std::int64_t most = 0;
                for (const std::int64_t count : self.count) most = std::max(most, count);
                return most;
            },
            "The largest number of items for which one stands.")
        .def(
            "limit",
            [capacity_of](const Relaxation& self, const Lattice* lattice, std::int64_t value) {
                const auto known = static_cast<std::int64_t>(std::floor(self.bound + self.slack));
                if (lattice == nullptr || known <= value) return std::max(known, value);
                const std::int64_t rounded = relaxing().lattice_floor(*lattice, self.bound + self.slack,
                                                                      self.e[self.middle], capacity_of(self), value);
                return std::max(value, std::min(known, rounded));
            },
            nb::arg("lattice") = nb::none(), nb::arg("value") = 0,
            "What no choice is worth more than, rounded down to what is on the lattice; not below value.")
        .def(
            "forced", [](const Relaxation& self) { return array_of(relaxing().forced(self)); },
            "The bound if each item deviates from the break solution, relative to its profit.")
        .def(
            "undecided",
            [](const Relaxation& self, std::int64_t value) {
                const FreeItems left = relaxing().free_items(self, value);
                std::vector<std::int64_t> fixed, open;
                std::size_t k = 0;
                for (std::int64_t j = 0; j < self.size(); j++) {
                    const bool is_open = k < left.number.size() && left.number[k] == j;
                    if (is_open) open.push_back(self.number[j]), k++;
                    if (!is_open && j < self.middle) fixed.push_back(self.number[j]);
                }
                return std::make_tuple(array_of(fixed), array_of(open));
            },
            nb::arg("value"), "The items that a choice worth more than a value contains, and those it may contain.")
        .def(
            "free_items", [](const Relaxation& self, std::int64_t value) { return relaxing().free_items(self, value); },
            nb::arg("value"))
        .def(
            "greedy",
            [](const Relaxation& self, std::int64_t value, std::int64_t exchanges) -> std::optional<Choice> {
                Choice choice = relaxing().greedy(self, value, exchanges);
                return choice.value > value ? std::optional(std::move(choice)) : std::nullopt;
            },
            nb::arg("value"), nb::arg("exchanges") = 1,
            "The best of a few quick choices, if it is worth more than a value.")
        .def(
            "cardinality",
            [capacity_of](const Relaxation& self, std::int64_t value) -> std::optional<std::tuple<std::int64_t, bool>> {
                const auto found = relaxing().cardinality(self, capacity_of(self), value);
                if (!found) return std::nullopt;
                return std::make_tuple(found->side, found->at_most);
            },
            nb::arg("value"),
            "The constraint on the number of items, whether at most, that cuts the relaxed solution off, if one does.")
        .def(
            "tightened",
            [capacity_of](const Relaxation& self, std::int64_t value, const nb::object& look) {
                return PythonLook(look).run([&](Look ask) -> std::optional<Relaxation> {
                    const auto constraint = relaxing().cardinality(self, capacity_of(self), value);
                    if (!constraint) return std::nullopt;
                    return relaxing().tighten(self, capacity_of(self), *constraint, ask);
                });
            },
            nb::arg("value"), nb::arg("look") = nb::none(),
            "The relaxation with the best multiplier for a constraint on the number of items, if it is better; the\n"
            "best so far if look says stop.");
    nb::class_<FreeItems>(m, "FreeItems", "The items in which a better choice may deviate.")
        .def_prop_ro("number", [](const FreeItems& self) { return view_of(self.number); })
        .def_prop_ro("w", [](const FreeItems& self) { return view_of(self.w); })
        .def_prop_ro("p", [](const FreeItems& self) { return view_of(self.p); })
        .def_prop_ro("counts", [](const FreeItems& self) { return view_of(self.count); })
        .def_prop_ro("forced", [](const FreeItems& self) { return view_of(self.forced); })
        .def_prop_ro("e", [](const FreeItems& self) { return view_of(self.e); })
        .def_prop_ro("cw", [](const FreeItems& self) { return view_of(self.cw); })
        .def_prop_ro("cq", [](const FreeItems& self) { return view_of(self.cq); })
        .def_ro("middle", &FreeItems::middle);
}

}  // namespace

void bind_knapsack(nb::module_& m) {
    bind_items(m);
    bind_relaxation(m);
    bind_knapsack_cores(m);
    bind_knapsack_dense(m);
    bind_knapsack_groups(m);
}

}  // namespace prunus
