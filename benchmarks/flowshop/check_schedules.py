"""Check a file of flow-shop schedules; needs nothing but Python.

python check_schedules.py schedules.jsonl FOLDER_OF_INSTANCES
"""

import json
import sys
from pathlib import Path


def main() -> None:
    """Check every line; stop at the first that is wrong."""
    for line in Path(sys.argv[1]).read_text().splitlines():
        found = json.loads(line)
        files = Path(sys.argv[2]).rglob(f"{found['name']}*")
        (path,) = (file for file in files if file.stem in {found["name"], found["name"] + "_Gap"})
        size, *rows = [[int(word) for word in row.split()] for row in path.read_text().splitlines()]
        rows = [row for row in rows if row]
        if len(rows[0]) == 2 * size[1]:  # a row is a job: pairs of a machine and a time
            rows = [row[1::2] for row in rows]
        elif len(rows) == size[1]:  # a row is a machine, not a job
            rows = list(zip(*rows, strict=True))
        assert sorted(found["schedule"]) == list(range(size[0])), found["name"]
        done = [0] * size[1]
        for job in found["schedule"]:
            time = 0
            for machine in range(size[1]):
                time = done[machine] = max(time, done[machine]) + rows[job][machine]
        assert done[-1] == found["makespan"], found["name"]
        print(found["name"], found["makespan"])


if __name__ == "__main__":
    main()
