// A plain scalar branch and bound for the permutation flow shop: LB1, MinBranch, depth first, one
// thread. Counts the branched nodes (the root too) whose bound is below a given upper bound.
//
// Reads from standard input: repetitions, jobs, machines, the upper bound, then the times, jobs by
// rows. Writes nodes and CPU seconds, a line for each repetition.
#include <cstdio>
#include <ctime>

constexpr int JOBS = 100, MACHINES = 32;
static int jobs, machines, upper_bound;
static int times[JOBS][MACHINES];
static long long nodes;

struct Node {
    int front[MACHINES], back[MACHINES], remain[MACHINES];
    int order[JOBS]; // fixed at the front, then the unscheduled ones, then those at the back
    int begin, end;  // where the unscheduled ones lie
};

static int larger(int a, int b) { return a > b ? a : b; }

static int bound_front(const Node& node, const int* p)
{
    int time = 0, bound = 0;
    for (int k = 0; k < machines; k++) {
        const int start = larger(time, node.front[k]);
        bound = larger(bound, start + node.remain[k] + node.back[k]);
        time = start + p[k];
    }
    return bound;
}

static int bound_back(const Node& node, const int* p)
{
    int time = 0, bound = 0;
    for (int k = machines - 1; k >= 0; k--) {
        const int start = larger(time, node.back[k]);
        bound = larger(bound, start + node.remain[k] + node.front[k]);
        time = start + p[k];
    }
    return bound;
}

static void fix(const Node& node, int at, bool back, Node& child)
{
    child = node;
    const int job = node.order[at];
    const int to = back ? --child.end : child.begin++;
    child.order[at] = child.order[to];
    child.order[to] = job;
    const int* p = times[job];
    int time = 0;
    for (int i = 0; i < machines; i++) {
        const int k = back ? machines - 1 - i : i;
        int& free = back ? child.back[k] : child.front[k];
        free = time = larger(time, free) + p[k];
        child.remain[k] -= p[k];
    }
}

static void branch(const Node& node)
{
    nodes++;
    int bounds[2][JOBS], surviving[2] = {0, 0};
    long long sum[2] = {0, 0};
    for (int i = node.begin; i < node.end; i++) {
        const int* p = times[node.order[i]];
        const int both[2] = {bound_front(node, p), bound_back(node, p)};
        for (int side = 0; side < 2; side++) {
            bounds[side][i] = both[side];
            sum[side] += both[side];
            surviving[side] += both[side] < upper_bound;
        }
    }
    bool back = surviving[1] < surviving[0];
    if (surviving[0] == surviving[1]) back = sum[1] > sum[0];
    if (surviving[back] == 0) return;
    if (node.end - node.begin == 1) {
        // A better schedule: its makespan is the last job's bound.
        upper_bound = bounds[back][node.begin];
        return;
    }
    for (int i = node.begin; i < node.end; i++) {
        if (bounds[back][i] >= upper_bound) continue;
        Node child;
        fix(node, i, back, child);
        branch(child);
    }
}

int main()
{
    int repetitions, given;
    if (std::scanf("%d %d %d %d", &repetitions, &jobs, &machines, &given) != 4) return 1;
    if (jobs > JOBS || machines > MACHINES) return 1;
    Node root{};
    root.end = jobs;
    for (int k = 0; k < machines; k++) root.front[k] = root.back[k] = 1 << 30;
    for (int j = 0; j < jobs; j++) {
        root.order[j] = j;
        int head = 0, tail = 0;
        for (int k = 0; k < machines; k++) {
            if (std::scanf("%d", &times[j][k]) != 1) return 1;
            root.remain[k] += times[j][k];
            if (head < root.front[k]) root.front[k] = head;
            head += times[j][k];
        }
        for (int k = machines - 1; k >= 0; k--) {
            if (tail < root.back[k]) root.back[k] = tail;
            tail += times[j][k];
        }
    }
    for (int i = 0; i < repetitions; i++) {
        nodes = 0;
        upper_bound = given;
        const std::clock_t begin = std::clock();
        branch(root);
        std::printf("%lld %.6f\n", nodes, double(std::clock() - begin) / CLOCKS_PER_SEC);
        std::fflush(stdout);
    }
}
