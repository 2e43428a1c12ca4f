// Where a job is best by total flow time: all places side by side.
//
// There is no table that tells what an insertion does to all later completion times: they are
// computed. But the schedules in which the job stands at one place or another have the same jobs in
// the same order behind it, so that a pass over the jobs advances all of them together, machine by
// machine, many in one vector: half of jobs^2 x machines steps.
#pragma once

#include <algorithm>
#include <cstdint>

#include "limits.hpp"
#include "memory.hpp"

namespace prunus::PRUNUS_SET {

/// T holds four times the total flow time of any schedule.
template <class T>
class FlowtimePlaces {
  public:
    static constexpr int together = 1;
    static constexpr bool descends_on_parts = false;

    FlowtimePlaces(const std::int64_t* processing_times, int jobs, int machines)
        : machines(machines),
          stride(jobs + 1),
          times(processing_times, processing_times + std::size_t(jobs) * machines),
          fronts(std::size_t(machines) * stride),
          until(stride),
          total(stride),
          ahead(machines) {}

    /// Has the only lane ask for a job, which is in the sequence at place `hole`, or not at all (-1).
    void ask(int, int job, int hole) {
        asked = job;
        own_place = hole;
    }

    /// Finds the least total flow time with the job in another gap of the sequence than those beside
    /// its hole, and the first such gap.
    void rate(const std::int32_t* sequence, int size, const Limits& limits) {
        std::fill(ahead.begin(), ahead.end(), T{0});
        T before = 0;
        int places = 0;  // without the job itself
        for (int k = 0; k <= size; k++) {
            if (k == own_place) continue;
            begin(places, before);
            places++;
            if (k == size) break;
            before += pass(row(sequence[k]), places);
            if (limits.stopped()) {
                least_of = INT64_MAX;  // it stays where it is
                gap_of = 0;
                return;
            }
        }
        int best = -1;
        for (int k = 0; k < places; k++)
            if (k != own_place && (best < 0 || total[k] < total[best])) best = k;
        least_of = best < 0 ? INT64_MAX : total[best];
        gap_of = own_place >= 0 && best > own_place ? best + 1 : best;
    }

    std::int64_t least(int) const { return least_of; }
    int gap(int) const { return gap_of; }

  private:
    const int machines, stride;
    Aligned<T> times;         // a row a job
    Aligned<T> fronts;        // a row a machine, a column a place: when the machine is free
    Aligned<T> until, total;  // a place: when a job is completed on a machine; completion times so far
    Aligned<T> ahead;         // when each machine is free before the job
    int asked = 0, own_place = -1, gap_of = 0;
    std::int64_t least_of = 0;

    const T* row(int job) const { return times.data() + std::size_t(job) * machines; }

    /// Begins the schedule in which the job stands at a place.
    void begin(int place, T before) {
        T end = 0;
        for (int i = 0; i < machines; i++) fronts[i * stride + place] = end = std::max(end, ahead[i]) + row(asked)[i];
        total[place] = before + end;
    }

    /// Passes the next job, in all schedules so far and in those with the job further on; returns
    /// when it is completed in the latter.
    T pass(const T* takes, int places) {
        std::fill_n(until.data(), places, T{0});
        T end = 0;
        for (int i = 0; i < machines; i++) {
            const T p = takes[i];
            T* const time = until.data();
            T* const front = fronts.data() + i * stride;
            for (int q = 0; q < places; q++) front[q] = time[q] = std::max(time[q], front[q]) + p;
            ahead[i] = end = std::max(end, ahead[i]) + p;
        }
        for (int q = 0; q < places; q++) total[q] += until[q];
        return end;
    }
};

}  // namespace prunus::PRUNUS_SET
