"""Schedule a small workshop from a table with names, and show when each job is where.

Needs the extra [pandas].
"""

import pandas as pd

import prunus


def main() -> None:
    """Solve, print the report, and print the timetable."""
    minutes = pd.DataFrame(
        {
            "cutting": [25, 40, 10, 30, 15, 35],
            "milling": [30, 10, 45, 20, 25, 15],
            "painting": [20, 35, 25, 15, 40, 10],
        },
        index=["table", "chair", "shelf", "bench", "lamp", "stool"],
    )
    shop = prunus.FlowShop(minutes, name="workshop")
    result = prunus.solve(shop)
    print(result, end="\n\n")

    ends = pd.DataFrame(
        shop.completion_times(result.solution),
        index=list(result.solution_names or ()),
        columns=list(shop.machine_names or ()),
    )
    print("minute at which each job leaves each machine:")
    print(ends)


if __name__ == "__main__":
    main()
