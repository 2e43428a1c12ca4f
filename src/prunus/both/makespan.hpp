// The makespan's one-machine bound and the branching rules (Lageweg, Lenstra, Rinnooy Kan 1978).
//
// `front` says when each machine is free after the first jobs, `back` how long it takes from the end
// of its work to the end of the schedule, once the last jobs are fixed; a machine's load is the work
// that is left there and `back` (for jobs put before the last ones: and `front`).
#pragma once
#include "both/portable.hpp"

BOTH_BEGIN

template <class Number>
DEVICE Number later(Number a, Number b) {
    return a > b ? a : b;
}

// One machine of a child: `time` is when its job is done on the machine before, and then on this one.
template <class Number>
DEVICE void one_machine(Number& time, Number& bound, Number free, Number load, Number p) {
    const Number start = later(time, free);
    bound = later(bound, start + load);
    time = start + p;
}

enum { FORWARD, ALTERNATE, MINBRANCH, MINMIN, MAXSUM };
enum { LB1, LB2, MIXED };

// The direction that a rule takes before any bound is known, 0 forward, 1 backward; else -1.
DEVICE int known_direction(int rule, int depth) { return rule == FORWARD ? 0 : rule == ALTERNATE ? depth & 1 : -1; }

// The direction that a rule takes. It asks for no more than it needs of: how many children survive
// backward less forward, how many attain the least bound backward less forward, and the sum of the
// bounds forward less backward.
template <class Survivors, class Attained, class Difference>
DEVICE int choose_direction(int rule, Survivors survivors, Attained attained, Difference difference) {
    const int first = rule == MINBRANCH ? survivors() : rule == MINMIN ? attained() : 0;
    return first != 0 ? first < 0 : difference() < 0;
}

BOTH_END
