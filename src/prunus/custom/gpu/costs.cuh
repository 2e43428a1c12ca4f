// What beams and local search ask of a user's problem.
#pragma once

#define NO_COST ((NUM)LARGEST)

DEVICE NUM cost_of(Node& node, const Tables& tables, const u32* own, const u32* all, int depth)
{
    State state = {node.state};
    const Free free = {own, all, LEVELS - depth};
    return custom_cost(tables, state, free, (NUM)depth);
}
