"""The 0-1 knapsack.

- `search`: which method works when; on top of `core_stage`, `dense_stage` and `solve_state`.
- `items`: the items that a choice is left about, bundles of identical ones; `greedy`: first
  choices.
- `bounds/`: the linear relaxation, with a constraint on the number of items, rounded down to what
  choices can be worth; and the items that are not fixed by it.
- `expanding_core/`: dynamic programming from the break item outwards (Pisinger's MINKNAP, COMBO).
- `outside_in/`: dynamic programming from the outside inwards, with a bound that counts items.
- `two_list/`: two lists of states that grow toward one another (Horowitz and Sahni).
- `groups/`: how many items of each narrow band of weights, then which.
- `dense/`: Bellman's recursion over all capacities, with Toth's elimination.
- `gpu/`: the dense recursion (Boyer, El Baz and Elkihel).
- `tuning`: the numbers on which speed depends.
"""
