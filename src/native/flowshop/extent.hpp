// How large the numbers of a shop are, so that kernels take the shortest that hold them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "wide.hpp"

namespace prunus::PRUNUS_SET {

struct Extent {
    Wide all = 0;                                                 // all operations, one after the other
    Wide longest_job = 0, shortest_job = 0, longest_machine = 0;  // the operations of one
    /// No schedule takes longer: the longest operation of each job, and of each machine.
    Wide longest_schedule = 0;

    Extent(const std::int64_t* times, int jobs, int machines) {
        for (int j = 0; j < jobs; j++) {
            const std::int64_t* const row = times + std::size_t(j) * machines;
            const Wide total = std::accumulate(row, row + machines, Wide{0});
            all += total;
            longest_job = std::max(longest_job, total);
            shortest_job = j == 0 ? total : std::min(shortest_job, total);
            longest_schedule += *std::max_element(row, row + machines);
        }
        for (int i = 0; i < machines; i++) {
            Wide total = 0;
            std::int64_t longest = 0;
            for (int j = 0; j < jobs; j++) {
                const std::int64_t time = times[std::size_t(j) * machines + i];
                total += time;
                longest = std::max(longest, time);
            }
            longest_machine = std::max(longest_machine, total);
            longest_schedule += longest;
        }
    }
};

}  // namespace prunus::PRUNUS_SET
