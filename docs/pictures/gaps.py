import numpy as np

import prunus
from prunus.plot import gaps

points = np.random.default_rng(1).random((1000, 2))
problem = prunus.Assignment.from_points(points, maximize=True)
limits = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2]
results = [prunus.solve(problem, time_limit=limit, devices="cpu:2") for limit in limits]
found = [(limit, result.gap) for limit, result in zip(limits, results, strict=True)]
axes = gaps({"1000 points, largest total": found})
