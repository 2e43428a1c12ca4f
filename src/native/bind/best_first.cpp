#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include <stdexcept>
#include <tuple>

#include "arrays.hpp"
#include "treesearch/function_tree.hpp"

namespace nb = nanobind;

namespace prunus {

void bind_best_first(nb::module_& m);

namespace {

using treesearch::OpenNode;
using Search = treesearch::BestFirstSearch;

using NodeArrays = std::tuple<Array<std::int64_t>, Array<double>, Array<std::int64_t, 2>>;

NodeArrays arrays_of(const std::vector<OpenNode>& nodes, const Search& search) {
    const std::size_t count = nodes.size(), words = search.words();
    auto bound = new_array<std::int64_t>({count});
    auto share = new_array<double>({count});
    auto rows = new_array<std::int64_t, 2>({count, words});
    for (std::size_t i = 0; i < count; i++) {
        bound(i) = nodes[i].bound;
        share(i) = nodes[i].share;
        std::copy_n(nodes[i].words, words, &rows(i, 0));
    }
    return {bound, share, rows};
}

}  // namespace

void bind_best_first(nb::module_& m) {
    auto search =
        nb::class_<Search>(m, "BestFirstSearch",
                           "The open nodes of one core, and the working memory for branching them.")
            .def_ro("nodes", &Search::nodes, "Nodes branched.")
            .def_ro("leaves", &Search::leaves, "Of them, those without children.")
            .def_ro("fathomed", &Search::fathomed, "The share of the tree that is done.")
            .def_prop_ro("words", &Search::words, "How many words a node has.")
            .def_prop_ro("open", &Search::open, "How many nodes are open.")
            .def_prop_ro("least", &Search::least, "The least bound of an open node; NO_BOUND if there is none.")
            .def_prop_ro(
                "found", [](const Search& search) { return as_array<std::int64_t>(search.found); },
                "The better solution: its objective, then the numbers that describe it.", nb::rv_policy::automatic)
            .def(
                "explore",
                [](Search& search, Array<const std::int64_t> cutoff, StopFlag stop, std::int64_t budget,
                   bool depth_first) {
                    if (cutoff.size() == 0) throw std::invalid_argument("no cutoff");
                    Limits limits{.budget = budget, .stop = stop_of(stop)};
                    nb::gil_scoped_release released;
                    return static_cast<int>(search.explore(cutoff.data(), limits, depth_first));
                },
                nb::arg("cutoff"), nb::arg("stop"), nb::arg("budget"), nb::arg("depth_first"),
                "Branch up to so many nodes, best bound first; return why it ended.\n\n"
                "EXHAUSTED if nothing is open, FOUND if a better solution was met, else 0. Nodes at or above the\n"
                "cutoff, which others may lower meanwhile, are fathomed. A stop of 1 ends it after the node under\n"
                "way, one of 2 also has that node branched less carefully.")
            .def(
                "put",
                [](Search& search, Array<const std::int64_t> bound, Array<const double> share,
                   Array<const std::int64_t, 2> words) {
                    const std::size_t width = search.words();
                    if (share.size() != bound.size() || words.shape(0) != bound.size() || words.shape(1) != width)
                        throw std::invalid_argument("nodes of another tree");
                    std::vector<OpenNode> nodes(bound.size());
                    for (std::size_t i = 0; i < nodes.size(); i++)  // only read from
                        nodes[i] = {bound(i), share(i), const_cast<std::int64_t*>(words.data()) + i * width};
                    search.put(nodes);
                },
                nb::arg("bound"), nb::arg("share"), nb::arg("words"), "Add open nodes.")
            .def(
                "donate", [](Search& search) { return arrays_of(search.donate(), search); },
                "Take out every second of the best nodes; of a plunge, those that would come last.")
            .def(
                "all", [](const Search& search) { return arrays_of(search.all(), search); },
                "Return all open nodes, which stay.")
            .def("clear", &Search::clear, "Forget all open nodes.");
    search.attr("NO_BOUND") = Search::no_bound;
    search.attr("EXHAUSTED") = static_cast<int>(Search::Status::exhausted);
    search.attr("FOUND") = static_cast<int>(Search::Status::found);
    m.def(
        "function_tree",
        [](std::uintptr_t branch, int words, int children, int solution) {
            if (branch == 0 || words < 1 || children < 1 || solution < 0) throw std::invalid_argument("no such tree");
            return kernels<treesearch::BestFirstKernels>().function_tree(
                reinterpret_cast<treesearch::BranchFunction>(branch), words, children, solution);
        },
        nb::arg("branch"), nb::arg("words"), nb::arg("children"), nb::arg("solution"),
        "Make a search of a tree, without a node, that the C function at an address branches.\n\n"
        "``int branch(const int64_t *node, int64_t bound, int64_t cutoff, int hurried, int64_t *children,\n"
        "int64_t *bounds, int64_t *found)`` writes the children that may hold a solution below the cutoff, a row of\n"
        "words each, and their bounds, no less than the node's; it returns how many they are. A solution that it\n"
        "meets goes to ``found``: its objective, then the numbers that describe it. It is called without the\n"
        "interpreter's lock.");
}

}  // namespace prunus
