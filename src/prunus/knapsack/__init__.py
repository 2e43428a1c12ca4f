"""The 0-1 knapsack.

- `search`: which method works when; on top of `core_stage`, `dense_stage` and `solve_state`.
- `dense/`: Bellman's recursion over all capacities, with Toth's elimination, on cores; `gpu/`: on
  GPUs (Boyer, El Baz and Elkihel).
- `tuning`: the numbers on which speed depends.

What works on cores stands in ``src/native/knapsack``: bounds and first choices, the expanding core
(Pisinger's MINKNAP, COMBO), fixing from the outside inwards with a bound that counts items, two
lists of states that grow toward one another (Horowitz and Sahni), groups of nearly equal weight,
and the rows of the dense recursion.
"""
