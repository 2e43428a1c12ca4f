"""Check a file of knapsack choices; needs nothing but Python.

python check_items.py open_instances.jsonl FOLDER_OF_INSTANCES
"""

import json
import sys
from pathlib import Path


def main() -> None:
    """Check every line; stop at the first that is wrong."""
    for line in Path(sys.argv[1]).read_text().splitlines():
        found = json.loads(line)
        if "chosen" not in found:
            continue  # a second proof of the same optimum, by another method
        (path,) = Path(sys.argv[2]).rglob(f"{found['name']}.kp")
        numbers = [int(word) for word in path.read_text().split()]
        n = numbers[0]
        profits, weights = numbers[2 : 3 * n + 1 : 3], numbers[3 : 3 * n + 1 : 3]
        bits = bin(int("1" + found["chosen"], 16))[3:]
        picked = [k for k in range(n) if bits[k] == "1"]
        assert sum(weights[k] for k in picked) <= numbers[3 * n + 1], found["name"]
        assert sum(profits[k] for k in picked) == found["optimum"], found["name"]
        print(found["name"], found["optimum"])


if __name__ == "__main__":
    main()
