// Where jobs are best by makespan, for 32 jobs side by side, each in a lane of its own.
//
// A descent asks of one job after another where it would be best, and 95 of 100 stay where they are.
// So many are asked at once, of the sequence as it is; as long as none of them moves, the answers
// are those of asking one after another.
//
// Each lane has the whole sequence but for its own job, at its hole. It passes the columns of
// Taillard's acceleration (see insertion.cpp): first all tails, from the end, which are stored, then
// the heads; with each column of heads come the makespans with the own job in the gap there. What a
// lane leaves out takes no time in it, which changes no column.
//
// T holds all sums: the makespan of a sequence and what a job more adds to it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lanes.hpp"
#include "limits.hpp"
#include "memory.hpp"

namespace prunus::PRUNUS_SET {

template <class T>
class MakespanPlaces {
  public:
    /// How many jobs are asked for at once.
    static constexpr int together = 32;
    /// A job taken out is put back at once; before, the others are improved.
    static constexpr bool descends_on_parts = true;

    MakespanPlaces(const std::int64_t* processing_times, int jobs, int machines)
        : machines(machines),
          times(processing_times, processing_times + std::size_t(jobs) * machines),
          own(std::size_t(machines) * together),
          heads(std::size_t(machines) * together),
          tails(std::size_t(jobs + 1) * machines * together) {}

    /// The makespan of a sequence.
    std::int64_t cost(const std::int32_t* sequence, int size) {
        for (int i = 0; i < machines; i++) heads[i] = 0;
        for (int k = 0; k < size; k++) {
            T until = 0;
            for (int i = 0; i < machines; i++) {
                const T takes = row(sequence[k])[i];
                const T start = heads[i] > until ? heads[i] : until;
                heads[i] = until = static_cast<T>(start + takes);
            }
        }
        return static_cast<std::int64_t>(heads[machines - 1]);
    }

    /// Has a lane ask for a job, which is in the sequence at place `hole`, or not at all (-1).
    void ask(int lane, int job, int hole) {
        for (int i = 0; i < machines; i++) own[i * together + lane] = row(job)[i];
        holes[lane] = hole < 0 ? nowhere : static_cast<T>(hole);
    }

    /// Finds, for all lanes, the least makespan with the job in a gap of the sequence that is not
    /// beside its hole, and the first such gap.
    void rate(const std::int32_t* sequence, int size, const Limits&) {
        const Row hole = Row::load(holes);
        for (int i = 0; i < machines; i++) {
            Row::splat(0).store(&tails[column(size) + i * together]);
            Row::splat(0).store(&heads[i * together]);
        }
        int k = size;
        if (size % 2 != 0) pass_tails<1>(sequence, k -= 1, hole);
        while (k > 0) pass_tails<2>(sequence, k -= 2, hole);
        Row best = Row::splat(nowhere), gap = Row::splat(0);
        // Behind the last gap nothing comes, whatever is passed there.
        for (k = 0; k < size; k += 2) pass_heads<2>(sequence, k, size, hole, best, gap);
        if (k == size) pass_heads<1>(sequence, k, size, hole, best, gap);
        best.store(least_of);
        gap.store(gap_of);
    }

    std::int64_t least(int lane) const { return static_cast<std::int64_t>(least_of[lane]); }
    int gap(int lane) const { return static_cast<int>(gap_of[lane]); }

  private:
    using Row = Lanes<T, together>;
    static constexpr T most = std::numeric_limits<T>::max();
    /// No gap is beside this hole, not even 0.
    static constexpr T nowhere = static_cast<T>(std::min<std::uint64_t>(most - 1, INT64_MAX));

    const int machines;
    Aligned<T> times;  // a row a job
    Aligned<T> own;    // of the jobs that are asked for: a row a machine
    Aligned<T> heads;  // of one column: a row a machine
    Aligned<T> tails;  // machines rows a column
    alignas(64) T holes[together] = {};
    alignas(64) T least_of[together];
    alignas(64) T gap_of[together];

    const T* row(int job) const { return times.data() + std::size_t(job) * machines; }
    std::size_t column(int k) const { return std::size_t(k) * machines * together; }

    /// Computes the tails of columns k to k + Count - 1 from those behind them.
    template <int Count>
    void pass_tails(const std::int32_t* sequence, int k, Row hole) {
        const T* rows[Count];
        T* to[Count];
        Row mask[Count], after[Count];
        for (int q = 0; q < Count; q++) {
            const int at = k + Count - 1 - q;  // from the end
            rows[q] = row(sequence[at]);
            to[q] = &tails[column(at)];
            mask[q] = Row::where_unequal(hole, Row::splat(static_cast<T>(at)));
            after[q] = Row::splat(0);
        }
        const T* const behind = &tails[column(k + Count)];
        for (int i = machines - 1; i >= 0; i--) {
            Row tail = Row::load(behind + i * together);
            for (int q = 0; q < Count; q++) {
                tail = max(after[q], tail) + (Row::splat(rows[q][i]) & mask[q]);
                tail.store(to[q] + i * together);
                after[q] = tail;
            }
        }
    }

    /// Puts the own jobs into gaps k to k + Count - 1; passes the job behind each of them.
    template <int Count>
    void pass_heads(const std::int32_t* sequence, int k, int size, Row hole, Row& best, Row& gap) {
        const T* rows[Count];
        const T* behind[Count];
        Row mask[Count], after[Count], inserted[Count], makespan[Count];
        for (int q = 0; q < Count; q++) {
            rows[q] = row(k + q < size ? sequence[k + q] : 0);
            behind[q] = &tails[column(k + q)];
            mask[q] = Row::where_unequal(hole, Row::splat(static_cast<T>(k + q)));
            after[q] = inserted[q] = makespan[q] = Row::splat(0);
        }
        for (int i = 0; i < machines; i++) {
            const Row takes = Row::load(&own[i * together]);
            Row head = Row::load(&heads[i * together]);
            for (int q = 0; q < Count; q++) {
                inserted[q] = max(inserted[q], head) + takes;
                makespan[q] = max(makespan[q], inserted[q] + Row::load(behind[q] + i * together));
                head = after[q] = max(after[q], head) + (Row::splat(rows[q][i]) & mask[q]);
            }
            head.store(&heads[i * together]);
        }
        for (int q = 0; q < Count; q++) {
            const Row here = Row::splat(static_cast<T>(k + q)), before = Row::splat(static_cast<T>(k + q - 1));
            // Its own gaps are those in front of the hole and behind it: no less than anything.
            const Row other = Row::where_unequal(hole, here) & Row::where_unequal(hole, before);
            const Row found = max(makespan[q], Row::where_less(Row::splat(0), other, Row::splat(0), Row::splat(most)));
            gap = Row::where_less(found, best, here, gap);
            best = min(found, best);
        }
    }
};

}  // namespace prunus::PRUNUS_SET
