"""A tree search on all processes of an MPI job: one coordinates, the others explore.

With processes on one machine or on many::

    mpiexec -n 4 python -m mpi4py.futures examples/search_over_mpi.py ta030

Under MPI, a killed process ends the whole job. Started again, the search resumes from its
checkpoint, with any number of processes::

    until mpiexec -n 4 python -m mpi4py.futures examples/search_over_mpi.py ta030; do sleep 1; done

It needs mpi4py and an MPI (``pip install mpi4py mpich`` installs one). Started with plain
``python``, it uses two processes on this machine instead.
"""

import multiprocessing
import sys
from concurrent.futures import Executor, ProcessPoolExecutor
from pathlib import Path

import prunus


def executor() -> Executor:
    """Return the workers: all MPI processes but this one, or two on this machine."""
    if "mpi4py.futures" in sys.modules:  # as imported by python -m mpi4py.futures
        from mpi4py.futures import MPIPoolExecutor

        return MPIPoolExecutor()
    return ProcessPoolExecutor(2, multiprocessing.get_context("spawn"))


def main(name: str = "ta030") -> None:
    """Solve an instance; its checkpoint survives the job."""
    file = Path(name).with_suffix(".ckpt")
    with executor() as workers:
        problem = prunus.read(name)
        result = prunus.solve(problem, executor=workers, checkpoint=file, resume="auto")
    if result.stopped_by is None:
        file.unlink()
    print(result)
    for worker in result.statistics.get("workers", []):
        units, nodes = worker["work_units"], worker["nodes"]
        print(f"{worker['name']:24} {units:6} work units {nodes:15,} nodes")


if __name__ == "__main__":
    main(*sys.argv[1:])
