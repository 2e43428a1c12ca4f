"""Whether a GPU solves a problem of the host's memory sooner than cores: what both will take.

How long cores take depends on the values, tenfold, and is not known before: the figures are between
uniform values and rows that all want the same columns.
"""

from __future__ import annotations

from dataclasses import dataclass

from prunus.assignment.exact.dense import NO_LISTS
from prunus.assignment.problem import Assignment


@dataclass(frozen=True, slots=True)
class TimeModel:
    """Seconds that a problem takes on cores and on a GPU, copying included.

    Set with an H200 and 2 to 16 cores beside it, see NOTES-assignment.md, "What is predicted".
    """

    core_whole_entry: float = 4e-9
    core_scan: float = 4.5e-12
    """Cores, an entry of one matrix of which whole rows are scanned, and more for each row."""
    core_list_row: float = 5e-6
    core_list_entry: float = 1.6e-9
    cores_list_entry: float = 1.5e-9
    """The same by lists, where these are compiled: a row; an entry, of which each core has a share,
    and what one of them does."""
    core_stack_row: float = 2.2e-7
    core_stack_entry: float = 4.1e-9
    core_stack_scan: float = 4e-12
    """Cores, however many: a row of a stack, an entry, and more for each row of its matrix."""
    gpu_matrix: float = 0.004
    gpu_stack: float = 0.001
    """A GPU, whatever the size;"""
    gpu_stack_row: float = 6e-8
    """more for every row of a stack, since the host looks at its answer,"""
    gpu_entry: float = 7e-11
    gpu_stack_entry: float = 1.2e-10
    """for every entry,"""
    copied_byte: float = 2.3e-11
    """and for every byte that comes from the host."""
    gpu_start: float = 1.0
    """More in the first solve of a process: half a second if all kernels are on disk, several if
    none is."""

    def on_cores(self, problem: Assignment, cores: int) -> float:
        """Return about how many seconds cores take."""
        entries = problem.agents * problem.jobs
        if problem.batch is not None:
            each = self.core_stack_entry + self.core_stack_scan * problem.agents
            return (self.core_stack_row * problem.agents + each * entries) * problem.batch
        rows = min(problem.agents, problem.jobs)
        if entries > NO_LISTS:
            each = self.core_list_entry / cores + self.cores_list_entry
            return self.core_list_row * rows + each * entries
        return (self.core_whole_entry + self.core_scan * rows) * entries

    def on_gpu(self, problem: Assignment) -> float:
        """Return about how many seconds a GPU takes that has been used before."""
        entries = (problem.batch or 1) * problem.agents * problem.jobs
        copied = 0 if problem.matrix is None else problem.matrix.nbytes
        least, each = self.gpu_matrix, self.gpu_entry
        if problem.batch is not None:
            least = self.gpu_stack + self.gpu_stack_row * problem.batch * problem.agents
            each = self.gpu_stack_entry
        return least + each * entries + self.copied_byte * copied


class GpuStart:
    """Whether it is time to start using a GPU in a process.

    Starting takes so long that it does not pay for one problem that cores solve in less. It is put
    off until cores have lost as much: then no process takes more than about twice the time of the
    better choice, whether it solves one problem or thousands.

    Attributes
    ----------
    lost_s
        Seconds that a GPU that had been started would have saved so far.
    """

    def __init__(self, model: TimeModel = TimeModel()) -> None:
        self.lost_s = 0.0
        self._model = model

    def is_due(self, problem: Assignment, cores: int, *, started: bool) -> bool:
        """Whether a problem that does not lie on a GPU is to be solved on one.

        ``started``: this process has used one.
        """
        saved = self._model.on_cores(problem, cores) - self._model.on_gpu(problem)
        if saved <= 0 or started:
            return saved > 0
        self.lost_s += saved
        return self.lost_s >= self._model.gpu_start


GPU_START = GpuStart()
"""That of this process."""
