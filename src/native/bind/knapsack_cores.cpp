#include <nanobind/stl/tuple.h>

#include <stdexcept>

#include "arrays.hpp"
#include "knapsack.hpp"
#include "knapsack/expanding_core.hpp"
#include "knapsack/outside_in.hpp"
#include "knapsack/two_lists.hpp"
#include "look.hpp"

namespace nb = nanobind;

namespace prunus {
namespace {

using namespace knapsack;

const ExpandingCoreKernels& expanding() { return kernels<ExpandingCoreKernels>(); }
const TwoListKernels& joining() { return kernels<TwoListKernels>(); }

void bind_expanding_core(nb::module_& m) {
    nb::enum_<CoreStop>(m, "CoreStop", "Why a core stopped.")
        .value("DONE", CoreStop::done)
        .value("BUDGET", CoreStop::budget)
        .value("MEMORY", CoreStop::memory)
        .value("UNCOUNTED", CoreStop::uncounted, "More items than a state's word can count.");
    nb::class_<ExpandingCore>(m, "ExpandingCore", "A search over the deviations from one break solution.")
        .def(
            "__init__",
            [](ExpandingCore* self, const Relaxation& r, std::int64_t value, std::int64_t limit) {
                nb::gil_scoped_release released;
                new (self) ExpandingCore(expanding().begin(r, value, limit));
            },
            nb::arg("relaxation"), nb::arg("value"), nb::arg("limit") = INT64_MAX, nb::keep_alive<1, 2>(),
            "Seek choices worth more than value, which is known to be reached; none is worth more than limit.")
        .def(
            "advance",
            [](ExpandingCore& self, std::int64_t budget, std::int64_t memory) {
                nb::gil_scoped_release released;
                Limits limits{.budget = budget};
                return expanding().advance(self, limits, memory);
            },
            nb::arg("budget"), nb::arg("memory"),
            "Expand the core until about so many states were made; lists may take so many bytes.")
        .def(
            "bound",
            [](const ExpandingCore& self) {
                nb::gil_scoped_release released;
                return expanding().bound(self);
            },
            "A value that no choice exceeds.")
        .def(
            "chosen",
            [](const ExpandingCore& self) {
                return Choice{self.best + self.relaxation->profit, expanding().chosen(self)};
            },
            "The best choice, if it was found here.")
        .def_prop_ro(
            "value", [](const ExpandingCore& self) { return self.best + self.relaxation->profit; },
            "The best value known.")
        .def_prop_ro(
            "improved", [](const ExpandingCore& self) { return self.best_step >= 0; },
            "Whether that was found here, and not given.")
        .def_ro("states", &ExpandingCore::states, "How many states were made in all.")
        .def_ro("count", &ExpandingCore::count, "How many states there are now.")
        .def_ro("peak", &ExpandingCore::peak, "The length of the longest list.")
        .def_prop_ro(
            "size", [](const ExpandingCore& self) { return self.history.steps(); }, "How many items are in the core.");
}

void bind_two_lists(nb::module_& m) {
    nb::enum_<TwoListStop>(m, "TwoListStop", "Why a search with two lists returned.")
        .value("DONE", TwoListStop::done)
        .value("IMPROVED", TwoListStop::improved)
        .value("BUDGET", TwoListStop::budget)
        .value("MEMORY", TwoListStop::memory)
        .value("UNCOUNTED", TwoListStop::uncounted, "More items than a state's word can count.")
        .value("STOPPED", TwoListStop::stopped);
    nb::class_<TwoLists>(m, "TwoLists", "A search that goes on where a core has become too long.")
        .def(
            "__init__",
            [](TwoLists* self, ExpandingCore& core) { new (self) TwoLists(joining().begin(std::move(core))); },
            nb::arg("core"), nb::keep_alive<1, 2>(), "Take the list of a core, which ends.")
        .def(
            "advance",
            [](TwoLists& self, std::int64_t budget, std::int64_t memory, const nb::object& look, int threads,
               std::int64_t piece_states, std::int64_t shared_states) {
                if (threads < 1 || piece_states < 1) throw std::invalid_argument("threads and pieces are positive");
                const TwoListLimits limits{threads, memory, budget, piece_states, shared_states};
                return PythonLook(look).run([&](Look ask) { return joining().advance(self, limits, ask); });
            },
            nb::arg("budget"), nb::arg("memory"), nb::arg("look") = nb::none(), nb::arg("threads") = 1,
            nb::arg("piece_states") = TwoListLimits{}.piece_states,
            nb::arg("shared_states") = TwoListLimits{}.shared_states,
            "Take items until about so many states were merged, a better choice is found, or look says stop, which\n"
            "is asked after each piece.")
        .def(
            "bound",
            [](TwoLists& self) {
                nb::gil_scoped_release released;
                return joining().bound(self);
            },
            "A value that no choice exceeds.")
        .def(
            "chosen", [](const TwoLists& self) { return Choice{self.best + self.relaxation->profit, self.chosen}; },
            "The best choice, if it was found here.")
        .def_prop_ro(
            "value", [](const TwoLists& self) { return self.best + self.relaxation->profit; }, "The best value known.")
        .def_prop_ro(
            "improved", [](const TwoLists& self) { return !self.chosen.empty(); },
            "Whether that was found here, and not given.")
        .def_ro("states", &TwoLists::states, "How many states were made.")
        .def_ro("merged", &TwoLists::merged, "How many states were looked at for that.")
        .def_prop_ro(
            "count", [](const TwoLists& self) { return self.size(); }, "How many states there are now.")
        .def_prop_ro(
            "longest", [](const TwoLists& self) { return std::max(self.lists[0].count, self.lists[1].count); },
            "How long the longer list is.")
        .def_prop_ro(
            "size", [](const TwoLists& self) { return self.lists[0].history.steps() + self.lists[1].history.steps(); },
            "How many items are in the lists.");
}

void bind_outside_in(nb::module_& m) {
    nb::class_<Fixing>(m, "Fixing", "How far a search from the outside inwards came.")
        .def_ro("done", &Fixing::done, "Whether the best value known is optimal.")
        .def_ro("improved", &Fixing::improved, "Whether it was found here, and not given.")
        .def_ro("value", &Fixing::value)
        .def_ro("limit", &Fixing::limit, "No choice is worth more.")
        .def_ro("states", &Fixing::states, "How many states were looked at.")
        .def_ro("peak", &Fixing::peak, "The length of the longest list.")
        .def_ro("size", &Fixing::size, "How many items deviate in choices that might be better.")
        .def(
            "chosen", [](const Fixing& self) { return Choice{self.value, self.chosen}; },
            "The best choice, if it was found here.");
    m.def(
        "fix_outside_in",
        [](const Relaxation& r, std::int64_t value, std::int64_t memory, std::int64_t longest, std::int64_t states,
           const nb::object& look, std::int64_t between_looks) {
            const FixingLimits limits{memory, longest, states, between_looks};
            return PythonLook(look).run(
                [&](Look ask) { return kernels<OutsideInKernels>().fix(r, value, limits, ask); });
        },
        nb::arg("relaxation"), nb::arg("value"), nb::arg("memory"), nb::arg("longest"), nb::arg("states"),
        nb::arg("look") = nb::none(), nb::arg("between_looks") = 1'000'000,
        "Seek choices worth more than value, deciding items from the outside inwards.\n\n"
        "Gives up where lists take more bytes than memory, at a list of more than longest states, once so many\n"
        "states were looked at, or if look says so.");
    m.def(
        "most_added",
        [](const Relaxation& r, std::int64_t first, std::int64_t last, std::int64_t rho, bool sharpened, double d,
           double price) {
            if (first < 0 || last > r.size() || first > last) throw std::invalid_argument("no such items");
            return kernels<OutsideInKernels>().most_added(r, first, last, rho, sharpened, d, price);
        },
        nb::arg("relaxation"), nb::arg("first"), nb::arg("last"), nb::arg("rho"), nb::arg("sharpened") = false,
        nb::arg("d") = 0.0, nb::arg("price") = 0.0,
        "The most that the items first to last - 1 can add to a state that leaves rho, for tests.\n\n"
        "The walk over numbers of items begins at d; price is one more price of items.");
}

}  // namespace

void bind_knapsack_cores(nb::module_& m) {
    bind_expanding_core(m);
    bind_two_lists(m);
    bind_outside_in(m);
}

}  // namespace prunus
