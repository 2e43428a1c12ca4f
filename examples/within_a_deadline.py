"""Get the best schedule within a second for an instance that may take years to prove."""

import numpy as np
from numpy.typing import NDArray

import prunus
from prunus.stop import TargetGap


def report(makespan: int, schedule: NDArray[np.int64]) -> None:
    """Print that a better schedule was found."""
    print(f"a schedule with makespan {makespan} begins with jobs {schedule[:5]}")


def main() -> None:
    """Search for a second, or until the gap is below one per cent."""
    result = prunus.solve(
        prunus.read("ta051"), time_limit=1.0, stop=TargetGap(0.01), on_incumbent=report
    )
    print(result)
    if result.objective and result.bound:
        excess = 100 * (result.objective / result.bound - 1)
        print(f"at most {excess:.1f} % above the optimum; stopped by {result.stopped_by}")


if __name__ == "__main__":
    main()
