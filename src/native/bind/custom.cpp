#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "custom/beam.hpp"
#include "custom/local_search.hpp"
#include "custom/search.hpp"
#include "parts.hpp"

namespace nb = nanobind;

namespace prunus {
namespace {

using custom::Function;
using custom::LocalSearch;
using custom::Problem;
using Numbers = Array<const std::int64_t>;
using Data = nb::ndarray<const std::int64_t, nb::numpy, nb::c_contig, nb::device::cpu>;

/// A problem, with what its functions and data are in.
struct OwnedProblem : Problem {
    nb::object owner;
    std::vector<Data> data;
};

Function as_function(std::uintptr_t address) { return reinterpret_cast<Function>(address); }

/// Raises ValueError unless an order is a path of the tree, down to some level.
void check_order(const Problem& problem, Numbers order, std::size_t depth) {
    bool good = order.size() == depth && depth <= problem.radix.size();
    std::vector<bool> fixed(static_cast<std::size_t>(problem.items()));
    for (std::size_t i = 0; good && i < depth; i++) {
        good = 0 <= order(i) && order(i) < (problem.repeating ? problem.radix[i] : problem.items()) &&
               (problem.repeating || !fixed[order(i)]);
        if (good) fixed[order(i)] = true;
    }
    if (!good) throw std::invalid_argument("no path of the tree");
}

void make_problem(OwnedProblem* self, nb::object owner, std::array<std::uintptr_t, 4> functions, std::vector<int> radix,
                  std::vector<std::int64_t> root, std::vector<Data> data, std::vector<std::int64_t> numbers,
                  bool repeating, bool counting, bool constrained) {
    const auto [descend, bound, walk, guide] = functions;
    const bool good = !radix.empty() && *std::min_element(radix.begin(), radix.end()) > 0 &&
                      numbers.size() >= custom::NUMBERS &&
                      numbers[custom::STATE] == static_cast<std::int64_t>(root.size()) &&
                      numbers[custom::MOST] == *std::max_element(radix.begin(), radix.end());
    if (descend == 0 || bound == 0 || walk == 0 || !good) throw std::invalid_argument("not a problem");
    std::vector<std::int64_t*> arrays;
    for (const Data& array : data) arrays.push_back(const_cast<std::int64_t*>(array.data()));
    new (self) OwnedProblem{{as_function(descend), as_function(bound), as_function(guide), as_function(walk), radix,
                             root, arrays, numbers, repeating, counting, constrained},
                            std::move(owner),
                            std::move(data)};
}

std::unique_ptr<treesearch::Beam> make_beam(const OwnedProblem& problem, std::int64_t cutoff, double weight,
                                            Numbers order, int threads, int piece_nodes, std::uint64_t seed) {
    if (threads < 1 || piece_nodes < 1 || problem.counting) throw std::invalid_argument("no beam");
    check_order(problem, order, problem.radix.size());
    return kernels<custom::BeamKernels>().make(problem, {cutoff, weight, order.data(), threads, piece_nodes, seed});
}

}  // namespace

void bind_custom(nb::module_& m) {
    nb::exception<custom::Raised>(m, "Raised", PyExc_RuntimeError).doc() =
        "A user's function has raised an exception; the message has the items that were fixed.";
    m.attr("INFEASIBLE") = custom::infeasible;
    m.attr("CHANGE_KINDS") = custom::change_kinds;
    nb::class_<OwnedProblem>(m, "Problem", "A user's own problem: compiled functions and what they read.")
        .def("__init__", &make_problem, nb::arg("owner"), nb::arg("functions"), nb::arg("radix"), nb::arg("root"),
             nb::arg("data"), nb::arg("numbers"), nb::kw_only(), nb::arg("repeating"), nb::arg("counting"),
             nb::arg("constrained"),
             "Take the addresses of descend, bound, walk and guide (0 for none), which owner keeps alive.\n\n"
             "See prunus.custom.cpu.node_functions for numbers.")
        .def(
            "search", [](const OwnedProblem& problem) { return kernels<custom::SearchKernels>().make(problem); },
            nb::keep_alive<0, 1>(), "Make a search of the tree.")
        .def("beam", &make_beam, nb::keep_alive<0, 1>(), nb::kw_only(), nb::arg("cutoff"), nb::arg("weight"),
             nb::arg("order"), nb::arg("threads"), nb::arg("piece_nodes"), nb::arg("seed"),
             "Begin a beam.\n\n"
             "Completions, in the order of a solution, count by the weight. The seed chooses among equals.")
        .def(
            "dive",
            [](const OwnedProblem& problem, Array<std::int64_t> order) {
                if (order.size() != problem.radix.size()) throw std::invalid_argument("no path of the tree");
                nb::gil_scoped_release released;
                return kernels<custom::SearchKernels>().dive(problem, order.data());
            },
            nb::arg("order"),
            "Write the path along the least bounds; return what its leaf costs, INFEASIBLE if it has none.")
        .def(
            "trace",
            [](const OwnedProblem& problem, Numbers order, Array<std::int64_t, 2> states, Array<std::int64_t> costs) {
                check_order(problem, order, costs.size());
                if (states.shape(0) != costs.size() || states.shape(1) != problem.root.size())
                    throw std::invalid_argument("paths and states of different sizes");
                const auto depth = static_cast<int>(costs.size());
                nb::gil_scoped_release released;
                kernels<custom::SearchKernels>().trace(problem, order.data(), depth, states.data(), costs.data());
            },
            nb::arg("order"), nb::arg("states"), nb::arg("costs"),
            "Walk down a path as the search does; write the states and costs of all nodes but the root.");
    nb::class_<LocalSearch>(m, "LocalSearch", "Random changes of one solution.")
        .def_static(
            "of",
            [](const OwnedProblem& problem, std::uint64_t seed) {
                return kernels<custom::LocalSearchKernels>().make(problem, seed);
            },
            nb::keep_alive<0, 1>(), nb::arg("problem"), nb::arg("seed"), "Make one that has no solution yet.")
        .def_rw("weights", &LocalSearch::weights, "How often each kind of change is drawn.")
        .def_ro("best_cost", &LocalSearch::best_cost, "The cost of the best solution.")
        .def_ro("cost", &LocalSearch::cost, "The cost of the present solution.")
        .def_ro("best_order", &LocalSearch::best_order, "The best solution.")
        .def_ro("order", &LocalSearch::order, "The present solution.")
        .def(
            "begin",
            [](LocalSearch& search, Numbers order, std::int64_t cost) {
                check_order(search.problem, order, search.order.size());
                search.best_order.assign(order.data(), order.data() + order.size());
                search.best_cost = cost;
                search.again();
            },
            nb::arg("order"), nb::arg("cost"), "Go on from a solution, which is the best one.")
        .def("again", &LocalSearch::again, "Go on from the best solution.")
        .def(
            "improve",
            [](LocalSearch& search, std::int64_t trials, double temperature) {
                if (search.best_cost == custom::infeasible) throw std::invalid_argument("no solution to improve");
                nb::gil_scoped_release released;
                search.improve(trials, temperature);
            },
            nb::arg("trials"), nb::arg("temperature"),
            "Try some changes: keep what is not worse or, with a temperature, anneal.")
        .def(
            "take_worse",
            [](LocalSearch& search) {
                custom::Changes& all = search.changes;
                const auto taken = std::make_tuple(all.worse, all.worse_count, all.kept);
                all.worse = all.worse_count = all.kept = 0;
                return taken;
            },
            "Return by how much changes were worse in sum, how many, and how many of them were kept; begin anew.")
        .def(
            "kinds",
            [](const LocalSearch& search) { return std::make_tuple(search.changes.tried, search.changes.helped); },
            "Return how often each kind of change was tried, and helped.")
        .def(
            "forget_half",
            [](LocalSearch& search) {
                for (auto* counts : {&search.changes.tried, &search.changes.helped})
                    for (auto& count : *counts) count /= 2;
            },
            "Halve these counts.");
}

}  // namespace prunus
