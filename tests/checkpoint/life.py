"""One life of a solve that keeps a checkpoint; the kill test ends it at any moment.

``python life.py CHECKPOINT NAME OPTIONS(JSON)`` begins, or goes on if the checkpoint is there. It
says ``searching`` once the tree search runs, and at the end the result as JSON.
"""

from __future__ import annotations

import json
import os
import sys

import prunus


def main(path: str, name: str, options: str) -> None:
    """Solve or resume, and print."""
    told = []

    def tell(progress):
        if progress.phase == "tree search" and not told:
            print("searching", flush=True)
            told.append(True)
        return False

    common = {"stop": tell, "checkpoint_every": 0.02}
    if os.path.exists(path):
        result = prunus.resume(path, devices="cpu:1", **common)
    else:
        problem = prunus.read(name)
        result = prunus.solve(
            problem, devices="cpu:1", checkpoint=path, **common, **json.loads(options)
        )
    print(
        json.dumps(
            {
                "status": result.status,
                "objective": result.objective,
                "nodes": result.nodes,
                "explored": result.explored,
            }
        ),
        flush=True,
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
