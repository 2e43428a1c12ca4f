#include <algorithm>

#include "assignment/feasible.hpp"
#include "assignment_parts.hpp"
#include "benefits.hpp"

namespace nb = nanobind;

namespace prunus {
namespace {

using assignment::Feasible;
using assignment::PartialMatching;
using Lists = std::tuple<Array<const std::int64_t>, Array<const std::int32_t>>;

void check_lists(const Lists& lists, const PartialMatching& state) {
    const auto& [start, columns] = lists;
    bool wrong = static_cast<std::int64_t>(start.size()) != state.rows + 1 || start(0) != 0 ||
                 start(state.rows) != static_cast<std::int64_t>(columns.size());
    for (std::int64_t i = 0; i < state.rows && !wrong; i++) wrong = start(i) > start(i + 1);
    for (std::size_t k = 0; k < columns.size() && !wrong; k++) wrong = columns(k) < 0 || columns(k) >= state.columns;
    if (wrong) throw std::invalid_argument("lists of another instance");
}

/// Columns and owners of the rows before the next one belong together; no other column has a row.
void check_matching(const PartialMatching& state) {
    bool wrong = state.next < 0 || state.next > state.rows || state.rows > state.columns;
    for (std::int64_t i = 0; i < state.next && !wrong; i++)
        wrong = state.column[i] < 0 || state.column[i] >= state.columns || state.owner[state.column[i]] != i;
    if (wrong || std::count_if(state.owner, state.owner + state.columns, [](auto i) { return i >= 0; }) != state.next)
        throw std::invalid_argument("no matching of rows with columns");
}

}  // namespace

void bind_feasible(nb::module_& m) {
    m.def(
        "match_allowed",
        [](const std::variant<BenefitsTuple, Lists>& pairs, const Array<std::int64_t>& column,
           const Array<std::int64_t>& owner, std::int64_t next, std::int64_t budget) {
            PartialMatching state{static_cast<std::int64_t>(column.size()), static_cast<std::int64_t>(owner.size()),
                                  next, column.data(), owner.data()};
            check_matching(state);
            Limits limits{.budget = budget};
            Feasible answer;
            if (const auto* lists = std::get_if<Lists>(&pairs)) {
                check_lists(*lists, state);
                nb::gil_scoped_release released;
                answer = kernels<assignment::FeasibleKernels>().from_lists(
                    {std::get<0>(*lists).data(), std::get<1>(*lists).data()}, state, limits);
            } else {
                const assignment::Benefits benefits = view(std::get<BenefitsTuple>(pairs));
                if (benefits.rows != state.rows || benefits.columns != state.columns)
                    throw std::invalid_argument("a matching of another instance");
                nb::gil_scoped_release released;
                answer = kernels<assignment::FeasibleKernels>().from_values(benefits, state, limits);
            }
            return std::make_tuple(state.next, answer != Feasible::impossible);
        },
        nb::arg("pairs"), nb::arg("column"), nb::arg("owner"), nb::arg("next"), nb::arg("budget"),
        "Match rows from the next one on with allowed columns, those of a matrix or of lists: where each row's begin,\n"
        "and all columns. Goes on for about so many pairs.\n\n"
        "Returns the first row that is not matched yet, and whether it may still be.");
}

}  // namespace prunus
