// LB2, the two-machine bound of one child in each lane: Johnson's rule on the machine pairs.
//
// The job is the same in all lanes, so the lanes read the same steps of the same pair and differ in
// which jobs they count (Lageweg, Lenstra, Rinnooy Kan 1978). A bound that reaches `ub` is returned
// as `ub`: how far beyond it a stopped scan got must not matter.
#pragma once

constexpr int STEPS = ROUND4(2 * PAIRS); // where the steps begin

DEVICE NUMBER johnson(const Node& node, const Tables& tables, const u32* free, int job,
                      int direction, bool on, NUMBER ub)
{
    if (!warp_any(on)) return 0;
    NUMBER front[MACHINES], back[MACHINES], time = 0, best = 0;
    fronts(node, front, back);
    for (int i = 0; i < MACHINES; i++) {
        const int k = direction ? MACHINES - 1 - i : i;
        const NUMBER at = direction ? back[k] : front[k];
        time = (time > at ? time : at) + time_of(tables, job, k);
        if (direction) back[k] = time; else front[k] = time;
    }
    const int* pairs = (const int*)tables.pairs;
    const NUMBER* steps = (const NUMBER*)(tables.pairs + STEPS);
    for (int pair = 0; pair < PAIRS; pair++) {
        if (!warp_any(on && best < ub)) break;
        const int u = pairs[2 * pair], v = pairs[2 * pair + 1];
        NUMBER first = front[u], second = front[v];
        const NUMBER* step = steps + (i64)pair * LEVELS * 4;
        for (int i = 0; i < LEVELS; i++, step += 4) {
            const int j = (int)step[0];
            const bool counts = (free[j >> 5] >> (j & 31) & 1) && j != job;
            const NUMBER done = first + step[1], ready = done + step[2];
            const NUMBER end = (second > ready ? second : ready) + step[3];
            first = counts ? done : first;
            second = counts ? end : second;
        }
        const NUMBER a = second + back[v], b = first + back[u];
        best = a > best ? a : best;
        best = b > best ? b : best;
    }
    return best < ub ? best : ub;
}
