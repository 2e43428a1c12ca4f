#include <nanobind/stl/string.h>

#include <stdexcept>

#include "arrays.hpp"
#include "flowshop/insertion.hpp"
#include "flowshop/iterated_greedy.hpp"
#include "parts.hpp"

namespace nb = nanobind;

namespace prunus {
namespace {

using flowshop::Greedy;
using flowshop::GreedyInput;
using Times = Array<const std::int64_t, 2>;

/// Refuses what is no set of different jobs.
template <class Jobs>
void check_jobs(const Jobs& some, std::size_t jobs) {
    std::vector<bool> met(jobs);
    for (std::size_t k = 0; k < some.size(); k++) {
        const auto job = some.data()[k];
        if (job < 0 || static_cast<std::size_t>(job) >= jobs || met[job]) throw std::invalid_argument("no schedule");
        met[job] = true;
    }
}

/// A run as Python holds it.
struct Run {
    std::unique_ptr<Greedy> greedy;

    Run(const std::string& objective, const Times& times, Array<const std::int64_t> schedule, std::int64_t cost,
        int removed, std::uint64_t seed) {
        if (schedule.size() != times.shape(0)) throw std::invalid_argument("no schedule");
        check_jobs(schedule, times.shape(0));
        if (removed < 1) throw std::invalid_argument("numbers out of range");
        greedy = kernels<flowshop::GreedyKernels>().make(GreedyInput{
            .objective = objective == "flowtime" ? flowshop::Objective::flowtime : flowshop::Objective::makespan,
            .times = times.data(),
            .jobs = static_cast<int>(times.shape(0)),
            .machines = static_cast<int>(times.shape(1)),
            .schedule = schedule.data(),
            .cost = cost,
            .removed = removed,
            .seed = seed});
    }
};

}  // namespace

void bind_flowshop_heuristics(nb::module_& m) {
    m.def(
        "insert_jobs",
        [](const Times& times, Array<std::int32_t> sequence, int size, Array<const std::int32_t> jobs) {
            const std::size_t all = times.shape(0);
            if (size < 0 || size + jobs.size() > sequence.size() || sequence.size() > all)
                throw std::invalid_argument("no room for these jobs");
            check_jobs(jobs, all);
            for (int k = 0; k < size; k++)
                if (sequence.data()[k] < 0 || static_cast<std::size_t>(sequence.data()[k]) >= all)
                    throw std::invalid_argument("no sequence");
            nb::gil_scoped_release released;
            return kernels<flowshop::InsertionKernels>().insert(times.data(), static_cast<int>(all),
                                                                static_cast<int>(times.shape(1)), sequence.data(), size,
                                                                jobs.data(), static_cast<int>(jobs.size()));
        },
        nb::arg("times"), nb::arg("sequence"), nb::arg("size"), nb::arg("jobs"),
        "Insert jobs into a sequence of so many, one after another, each where the makespan is least.\n\n"
        "Ties go to the least idle time, then to the first place. Returns the makespan.");

    nb::class_<Run>(m, "IteratedGreedy", "A run of iterated greedy, which is continued in slices.")
        .def(nb::init<const std::string&, const Times&, Array<const std::int64_t>, std::int64_t, int, std::uint64_t>(),
             nb::arg("objective"), nb::arg("times"), nb::arg("schedule"), nb::arg("cost"), nb::arg("removed"),
             nb::arg("seed"), "Begin with a schedule and its cost.")
        .def(
            "run",
            [](Run& self, std::int64_t count, std::int64_t target, double temperature, StopFlag stop) {
                Limits limits{.budget = count, .stop = stop.data()};
                nb::gil_scoped_release released;
                self.greedy->run(limits, target, temperature);
            },
            nb::arg("iterations"), nb::arg("target"), nb::arg("temperature"), nb::arg("stop"),
            "Go on for some iterations, to the target or until it is stopped.\n\n"
            "What costs `temperature` more is accepted with probability 1/e.")
        .def(
            "begin_again",
            [](Run& self, Array<const std::int64_t> schedule, std::int64_t cost) {
                const std::size_t jobs = self.greedy->best.size();
                if (schedule.size() != jobs) throw std::invalid_argument("no schedule");
                check_jobs(schedule, jobs);
                self.greedy->begin_again(schedule.data(), static_cast<int>(jobs), cost);
            },
            nb::arg("schedule"), nb::arg("cost"), "Go on from a schedule that is better than the best so far.")
        .def_prop_ro(
            "best", [](const Run& self) { return as_array<std::int64_t>(self.greedy->best); }, nb::rv_policy::move,
            "The best schedule so far (a copy).")
        .def_prop_ro("best_cost", [](const Run& self) { return self.greedy->best_cost; })
        .def_prop_ro("iterations", [](const Run& self) { return self.greedy->iterations; });
}

}  // namespace prunus
