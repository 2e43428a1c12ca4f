#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "arrays.hpp"
#include "parts.hpp"
#include "subsetsum/four_lists.hpp"
#include "subsetsum/reachable.hpp"
#include "subsetsum/two_lists.hpp"

namespace nb = nanobind;

namespace prunus {
namespace {

using subsetsum::Found;
using subsetsum::Wide;
using Word = std::uint64_t;
using Words = Array<const Word>;
using SideArrays = std::tuple<Words, Array<const std::int64_t>, Words, Words>;

constexpr std::int64_t kept_words = std::int64_t{1} << 22;

/// Memory that a thread keeps for its next search, since new memory is slow when it is first touched.
Word* working_memory(std::int64_t words) {
    thread_local std::unique_ptr<Word[]> kept;
    thread_local std::int64_t size = 0;
    if (size < words || size > kept_words) {
        kept.reset(new Word[static_cast<std::size_t>(words)]);
        size = words;
    }
    return kept.get();
}

subsetsum::Side view(const SideArrays& arrays, std::int64_t q) {
    const auto& [outer, residues, inner, start] = arrays;
    if (residues.size() != outer.size() || start.size() != static_cast<std::size_t>(q) + 1 || start(0) != 0 ||
        start(start.size() - 1) != inner.size())
        throw std::invalid_argument("parts of a side do not belong together");
    for (std::size_t i = 0; i < residues.size(); i++)
        if (residues(i) < 0 || residues(i) >= q) throw std::invalid_argument("no such residue");
    for (std::size_t r = 1; r < start.size(); r++)
        if (start(r) < start(r - 1)) throw std::invalid_argument("residues are not in order");
    return {outer.data(), residues.data(), static_cast<std::int64_t>(outer.size()), inner.data(), start.data()};
}

/// How sums of a type come from Python and go back: integers of 64 bits, or three words, lowest first.
template <class Sum>
struct Border {
    using List = Words;
    using Out = Array<Word>;
    using Value = Word;
    static Word in(Value value) { return value; }
    static Value out(Word sum) { return sum; }
};

template <>
struct Border<Wide> {
    using List = Array<const Word, 2>;
    using Out = Array<Word, 2>;
    using Value = std::tuple<Word, Word, Word>;
    static Wide in(const Value& value) { return {std::get<0>(value), std::get<1>(value), std::get<2>(value)}; }
    static Value out(const Wide& sum) { return {sum.low, sum.middle, sum.high}; }
};

template <class Sum, class List>
auto sums_of(const List& list) {
    if constexpr (std::is_same_v<Sum, Wide>)
        if (list.shape(1) != 3) throw std::invalid_argument("a sum has three words");
    return reinterpret_cast<std::conditional_t<std::is_const_v<typename List::Scalar>, const Sum*, Sum*>>(list.data());
}

template <class Sum>
subsetsum::ListPair<Sum> view_pair(const typename Border<Sum>::List& a, const typename Border<Sum>::List& b) {
    if (a.shape(0) == 0 || b.shape(0) == 0) throw std::invalid_argument("a list is empty");
    return {sums_of<Sum>(a), static_cast<std::int64_t>(a.shape(0)), sums_of<Sum>(b),
            static_cast<std::int64_t>(b.shape(0))};
}

/// One of several parts of about the same length.
std::pair<std::int64_t, std::int64_t> part_of(std::int64_t length, std::int64_t part, std::int64_t parts) {
    if (part < 0 || part >= parts || parts > std::int64_t{1} << 30) throw std::invalid_argument("no such part");
    return {length * part / parts, length * (part + 1) / parts};
}

template <class Sum>
void bind_lists(nb::module_& m) {
    using Its = Border<Sum>;
    using List = typename Its::List;
    using Value = typename Its::Value;
    m.def(
        "merge",
        [](const List& x, std::int64_t n, const Value& weight, const typename Its::Out& out, std::int64_t first,
           std::int64_t last) {
            const Sum* const from = sums_of<Sum>(x);
            Sum* const to = sums_of<Sum>(out);
            const auto room = static_cast<std::int64_t>(out.shape(0));
            if (n < 1 || n >= static_cast<std::int64_t>(x.shape(0)) || first < 0 || last > 2 * n ||
                last + (last == 2 * n) > room)
                throw std::invalid_argument("no such places");
            const Sum added = Its::in(weight);
            nb::gil_scoped_release released;
            kernels<subsetsum::ListKernels<Sum>>().merge(from, n, added, to, first, last);
        },
        nb::arg("x"), nb::arg("n"), nb::arg("weight"), nb::arg("out"), nb::arg("first"), nb::arg("last"),
        "Write places first to last - 1 of the merge of x[:n] and x[:n] + weight.\n\n"
        "After the n sums stands one that is larger than all; it stands after the merge, too.");
    m.def(
        "best_below",
        [](const List& a, const List& b, const Value& target, std::int64_t part, std::int64_t parts, StopFlag stop) {
            const auto pair = view_pair<Sum>(a, b);
            const Sum sought = Its::in(target);
            Limits limits{.budget = INT64_MAX, .stop = stop.data()};
            const auto& its = kernels<subsetsum::ListKernels<Sum>>();
            const auto [first, last] = part_of(its.steps(pair, sought), part, parts);
            subsetsum::Best<Sum> best;
            {
                nb::gil_scoped_release released;
                best = its.best_below(pair, sought, first, last, limits);
            }
            const int found = best.found == Found::some ? 0 : best.found == Found::none ? -1 : -2;
            return std::make_pair(found, Its::out(best.sum));
        },
        nb::arg("a"), nb::arg("b"), nb::arg("target"), nb::arg("part"), nb::arg("parts"), nb::arg("stop"),
        "Return the largest sum of a pair that is not above a target, on one of several parts.\n\n"
        "Before it stands 0; -1 if all are above it, -2 if stopped.");
    m.def(
        "pair",
        [](const List& a, const List& b, const Value& target) {
            const auto lists = view_pair<Sum>(a, b);
            const Sum sought = Its::in(target);
            nb::gil_scoped_release released;
            const auto [i, j] = kernels<subsetsum::ListKernels<Sum>>().pair(lists, sought);
            return std::make_pair(i, j);
        },
        nb::arg("a"), nb::arg("b"), nb::arg("target"), "Return where a pair with a sum stands; (-1, -1) for none.");
    m.def(
        "count_pairs",
        [](const List& a, const List& b, const Value& target, std::int64_t part, std::int64_t parts, StopFlag stop) {
            const auto pair = view_pair<Sum>(a, b);
            const Sum sought = Its::in(target);
            Limits limits{.budget = INT64_MAX, .stop = stop.data()};
            const auto [first, last] = part_of(pair.n, part, parts);
            nb::gil_scoped_release released;
            const auto& its = kernels<subsetsum::ListKernels<Sum>>();
            return first < last ? its.count(pair, sought, first, last, limits) : 0;
        },
        nb::arg("a"), nb::arg("b"), nb::arg("target"), nb::arg("part"), nb::arg("parts"), nb::arg("stop"),
        "Count the pairs of one of several parts of a, and b, with a sum; -2 if stopped.");
}

}  // namespace

void bind_subsetsum(nb::module_& m) {
    bind_lists<Word>(m);
    bind_lists<Wide>(m);
    m.def(
        "join",
        [](const SideArrays& near, const SideArrays& far, std::pair<Word, std::int64_t> moved, std::int64_t q,
           Word modulus, std::int64_t first, std::int64_t last, std::int64_t map_bits, std::int64_t places,
           StopFlag stop) {
            if (q < 1 || first < 0 || last > q || moved.second < 0 || moved.second >= q)
                throw std::invalid_argument("no such residues");
            if (map_bits < 1024 || (map_bits & (map_bits - 1)) != 0 || places < 1)
                throw std::invalid_argument("no such map");
            const subsetsum::Join join{view(near, q), view(far, q),          moved.first, moved.second, q,
                                       modulus,       modulus != 0 ? 63 : 64};
            Limits limits{.budget = INT64_MAX, .stop = stop.data()};
            Word* const words = working_memory(map_bits / 64 + 2 * places);
            Word* const found = words + map_bits / 64;
            nb::gil_scoped_release released;
            const auto [reached, suspicious] = kernels<subsetsum::JoinKernels>().join(
                join, first, last, {words, map_bits, found, found + places, places}, limits);
            return std::make_pair(reached, suspicious);
        },
        nb::arg("near"), nb::arg("far"), nb::arg("moved"), nb::arg("q"), nb::arg("modulus"), nb::arg("first"),
        nb::arg("last"), nb::arg("map_bits"), nb::arg("places"), nb::arg("stop"),
        "Return the first of some residues in which two sides may have a common key.\n\n"
        "Each side is its outer keys, their residues, its inner keys and where each residue begins among them;\n"
        "the far side is moved by an offset, given as a key and a residue. Returns the residue, last if there is\n"
        "none, and whether it was returned on suspicion; once others have set stop, the residue that comes next.");
    m.def(
        "add_item",
        [](const Words& from, const Array<Word>& to, std::int64_t weight, std::int64_t low, std::int64_t high) {
            if (weight < 1 || low < 0 || high > static_cast<std::int64_t>(from.size()) || from.size() != to.size())
                throw std::invalid_argument("no such words");
            nb::gil_scoped_release released;
            if (low < high) kernels<subsetsum::ReachableKernels>().add(from.data(), to.data(), weight, low, high);
        },
        nb::arg("old"), nb::arg("new"), nb::arg("weight"), nb::arg("low"), nb::arg("high"),
        "Write words low to high - 1 of old | old << weight, sets of sums, to new.");
}

}  // namespace prunus
