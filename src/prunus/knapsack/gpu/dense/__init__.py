"""The dense recursion on one GPU or several.

In the order in which a solve needs them:

- `method`: the optimum, the items, or the optima of all capacities; chooses among what follows.
- `kernels`: the CUDA kernels, cut to a device, and what a pass may hold (`passes`, `structures`).
- `plan`: the items, counted by `kinds`, put into passes by `packing` and `tile_packing`; their
  order.
- `launches`: passes as kernels read them, run on one GPU.
- `one_device`: all passes on one GPU, and back along the decisions that lead to a cell.
- `several_devices`: the same where GPUs share each row, cut by `partition`, and each has its
  `device_share`; `two_ended`: two groups of them with half of the passes each.
"""
