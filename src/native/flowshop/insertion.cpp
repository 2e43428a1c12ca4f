// Taillard's acceleration (1990): all places for a job in O(jobs x machines).
//
// Two tables have a column a place: heads, column k, when each machine has finished the first k
// jobs; tails, column k, the time from the start of the job at place k on each machine to the end of
// the schedule. A job at place k is completed on the machines after heads[k]; each completion with
// tails[k] behind it, the largest is the makespan. All places are passed together, machine by
// machine. Ties go to the least idle time (Fernandez-Viagas and Framinan 2014).
#include "flowshop/insertion.hpp"

#include <algorithm>
#include <vector>

namespace prunus::PRUNUS_SET {
namespace {

template <class T>
class Insertion {
  public:
    Insertion(const std::int64_t* times, int jobs, int machines)
        : machines(machines),
          stride(jobs + 1),
          times(times, times + std::size_t(jobs) * machines),
          heads(std::size_t(machines) * stride),
          tails(std::size_t(machines) * stride),
          time(stride),
          makespan(stride) {}

    /// Inserts a job where it is best; returns the makespan.
    std::int64_t insert(std::int32_t* sequence, int size, int job) {
        pass<false>(sequence, size);
        pass<true>(sequence, size);
        const int place = best_place(sequence, size, job);
        std::copy_backward(sequence + place, sequence + size, sequence + size + 1);
        sequence[place] = job;
        return makespan[place];
    }

  private:
    const int machines, stride;
    std::vector<T> times;           // a row a job
    std::vector<T> heads, tails;    // a row a machine, a column a place
    std::vector<T> time, makespan;  // of the inserted job at each place

    const T* row(int job) const { return times.data() + std::size_t(job) * machines; }

    /// Computes all columns of heads, or of tails from the end: four at a time, in registers.
    template <bool Tails>
    void pass(const std::int32_t* sequence, int size) {
        T* const table = Tails ? tails.data() : heads.data();
        const int step = Tails ? -1 : 1, first = Tails ? size : 0;
        for (int i = 0; i < machines; i++) table[i * stride + first] = 0;
        int done = 0;
        const auto columns = [&]<int Count>() {
            const T* rows[Count];
            T until[Count] = {};
            for (int q = 0; q < Count; q++) rows[q] = row(sequence[Tails ? size - 1 - done - q : done + q]);
            for (int k = 0; k < machines; k++) {
                const int i = Tails ? machines - 1 - k : k;
                T* const at = table + i * stride + first + step * done;
                T before = *at;
                for (int q = 0; q < Count; q++)
                    at[step * (q + 1)] = before = until[q] = rows[q][i] + std::max(until[q], before);
            }
            done += Count;
        };
        while (done + 4 <= size) columns.template operator()<4>();
        while (done < size) columns.template operator()<1>();
    }

    int best_place(const std::int32_t* sequence, int size, int job) {
        std::fill_n(time.data(), size + 1, T{0});
        std::fill_n(makespan.data(), size + 1, T{0});
        for (int i = 0; i < machines; i++) {
            const T takes = row(job)[i];
            const T* const head = heads.data() + i * stride;
            const T* const tail = tails.data() + i * stride;
            T* const until = time.data();
            T* const whole = makespan.data();
            for (int k = 0; k <= size; k++) {
                until[k] = std::max(until[k], head[k]) + takes;
                whole[k] = std::max<T>(whole[k], until[k] + tail[k]);
            }
        }
        const auto end = makespan.begin() + size + 1;
        const auto first = std::min_element(makespan.begin(), end);
        int best = static_cast<int>(first - makespan.begin());
        auto tied = std::find(first + 1, end, *first);
        if (tied == end) return best;
        std::int64_t least = idle_time(sequence, size, job, best);
        for (; tied != end; tied = std::find(tied + 1, end, *first)) {
            const int k = static_cast<int>(tied - makespan.begin());
            const std::int64_t idle = idle_time(sequence, size, job, k);
            if (idle < least) least = idle, best = k;
        }
        return best;
    }

    /// The idle time in front of and inside the schedule with a job at place k, up to a constant:
    /// only the next job is moved on.
    std::int64_t idle_time(const std::int32_t* sequence, int size, int job, int k) const {
        const T* const own = row(job);
        std::int64_t idle = 0, until = std::int64_t(heads[k]) + own[0];
        if (k == size) {
            for (int i = 1; i < machines; i++) {
                const std::int64_t free = heads[i * stride + k];
                until = own[i] + std::max(until, free);
                idle += until - free;
            }
            return idle;
        }
        const T* const next = row(sequence[k]);
        std::int64_t done = until + next[0];
        for (int i = 1; i < machines; i++) {
            until = own[i] + std::max<std::int64_t>(until, heads[i * stride + k]);
            const std::int64_t wait = std::max<std::int64_t>(0, done - until);
            idle += until - heads[i * stride + k + 1] + next[i] + wait;
            done = until + wait + next[i];
        }
        return idle;
    }
};

template <class T>
std::int64_t insert_all(const std::int64_t* times, int jobs, int machines, std::int32_t* sequence, int size,
                        const std::int32_t* inserted, int count) {
    Insertion<T> tables(times, jobs, machines);
    std::int64_t makespan = 0;
    for (int k = 0; k < count; k++) makespan = tables.insert(sequence, size + k, inserted[k]);
    return makespan;
}

std::int64_t insert(const std::int64_t* times, int jobs, int machines, std::int32_t* sequence, int size,
                    const std::int32_t* inserted, int count) {
    std::int64_t all = 0;  // no makespan is larger; a problem has refused what does not fit
    for (std::size_t k = 0; k < std::size_t(jobs) * machines; k++) all += times[k];
    const auto kernel = all <= INT32_MAX ? insert_all<std::int32_t> : insert_all<std::int64_t>;
    return kernel(times, jobs, machines, sequence, size, inserted, count);
}

}  // namespace

const flowshop::InsertionKernels& kernels(const flowshop::InsertionKernels*) {
    static constexpr flowshop::InsertionKernels table{.insert = insert};
    return table;
}

}  // namespace prunus::PRUNUS_SET
