"""Problems that users define: their functions compiled, translated, checked, and searched.

- `problem`, `permutation`, `array`: what a class of a user's is; `functions`: what it defines.
- `plain_tree`: its tree in plain Python; `agreement`: whether its functions agree with one another;
  `check`: the plain tree against everything else.
- `costs`: objectives as the searches see them.
- `cpu/`, `gpu/`: the functions compiled for cores and translated for GPUs, and the tree on both.
- `heuristics/`: local search and beams; `portfolio`: these and the tree side by side.
- `solver`: which method.
"""
