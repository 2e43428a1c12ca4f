"""Real searches with more worker processes than cores: each may use a share of one.

    python -m benchmarks.cluster.shares --workers 16 32 --share 0.05 ta028 queens:15

It needs root and Linux's control groups. Processes are started and warm before their share is
limited. ``of share`` is the processor time that the workers took, of what they were allowed; the
coordinator, in this process, is not limited. Counts are checked.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from time import process_time

from benchmarks.treesearch.cluster import one_run, spent

GROUPS = Path("/sys/fs/cgroup")
PERIOD_US = 100_000


@contextmanager
def limited(pids: Iterable[int], share: float) -> Iterator[None]:
    """Allow each process so much of a core, by control groups of version 1 or 2."""
    first = (GROUPS / "cpu").is_dir()
    groups = []
    try:
        for pid in pids:
            group = (GROUPS / "cpu" if first else GROUPS) / f"prunus-{pid}"
            group.mkdir()
            groups.append(group)
            quota = round(share * PERIOD_US)
            if first:
                (group / "cpu.cfs_period_us").write_text(f"{PERIOD_US}")
                (group / "cpu.cfs_quota_us").write_text(f"{quota}")
            else:
                (group / "cpu.max").write_text(f"{quota} {PERIOD_US}")
            (group / "cgroup.procs").write_text(f"{pid}")
        yield
    finally:
        for group in groups:
            for pid in (group / "cgroup.procs").read_text().split():
                with suppress(OSError):
                    (group.parent / "cgroup.procs").write_text(pid)
            group.rmdir()


def main() -> None:
    """Print a line for each number of workers and each instance."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=["ta028", "queens:15"])
    parser.add_argument("--workers", type=int, nargs="+", default=[16, 32])
    parser.add_argument("--share", type=float, default=0.1, help="of a core, for each worker")
    given = parser.parse_args()
    print("workers  instance     seconds  of share  coordinator  units  online")
    for workers in given.workers:
        with ProcessPoolExecutor(workers, multiprocessing.get_context("forkserver")) as pool:
            for _ in range(2):  # all processes are started, and have what is compiled
                one_run("ta030", executor=pool, devices=f"cpu:{os.cpu_count()}")
            pids = list(pool._processes)
            with limited(pids, given.share):
                for name in given.names:
                    before, mine = spent(pids), process_time()
                    result = one_run(name, executor=pool, devices=f"cpu:{os.cpu_count()}")
                    figures = result.statistics
                    seconds = figures["search_time"]
                    used = (spent(pids) - before) / (workers * given.share * seconds)
                    print(
                        f"{workers:7}  {name:10} {seconds:9.2f} {used:9.3f} "
                        f"{(process_time() - mine) / seconds:12.3f} "
                        f"{sum(w['work_units'] for w in figures['workers']):6} "
                        f"{sum(w['online'] for w in figures['workers']):7}",
                        flush=True,
                    )


if __name__ == "__main__":
    main()
