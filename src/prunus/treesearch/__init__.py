"""Search of a tree; it knows no problem.

- `model`: what a problem says of its tree, what a device offers, as Protocols.
- `interval/`: intervals of leaves, the unit of work, and the explorers of a core and of a GPU.
- `bestfirst/`: open nodes by bound, and the explorer of a core.
- `scheduler/`: all devices of a machine on one tree; `distributed/`: many machines.
- `driver/`: from first incumbents to the proof; `estimate/`: how large a tree is.
- `beam/`: beams of growing width; `portfolio/`: heuristics, beams and the tree side by side.
"""
