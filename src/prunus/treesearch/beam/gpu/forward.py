"""The forward beam of any tree of permutations on a GPU: the host seldom waits for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from prunus.errors import DisagreementError
from prunus.hardware.device import Device, Kernel, Launch
from prunus.model.arrays import Int64Array
from prunus.treesearch.beam.gpu.forward_levels import BINS, TILE, ForwardLevels
from prunus.treesearch.beam.gpu.layout import PIECE
from prunus.treesearch.beam.gpu.level_arrays import most_nodes
from prunus.treesearch.beam.gpu.program import BeamProgram
from prunus.treesearch.beam.model import BeamResult, Guide

_THREADS = 128
_THREADS_OF = {"pick": 1024, "place": 1024, "rank": 256, "bins": 256, "inherit": 256, "trace": 32}
_SCAN_BYTES = 8 * 33
_BINS_BYTES = 4 * BINS
_RATE_BYTES = 32
"""Shared memory: of kernels that add up a block's counts, of those that have bins, of ``rate``."""
_CHOOSING = ("rank", "pick", "bins", "pick", "bins", "pick", "count", "place")


@dataclass(frozen=True, slots=True)
class GpuBeamTuning:
    """Settings of forward beams on GPUs."""

    memory_share: float = 0.5
    """What beams may take of the free memory: the tree search and other programs need room."""
    candidates: int = 4
    """Children that are looked at for others alike, for each that is kept."""
    lanes_a_multiprocessor: int = 1024
    """Beams of which levels have fewer children take as long as wider ones."""
    wait_s: float = 0.01
    """The host waits for a beam about so often, and hears of a stop."""


class GpuForwardBeam:
    """Beam search of one tree on one GPU, from the first level to the last.

    It does what the forward beam on cores does, but for two things: keys that are further than 2^19
    from the least one count as equal if they differ by less than 1/2^18 of that distance, and where
    more than a few children for each that is kept have others alike, fewer are kept. Raises
    ``DeviceError`` if the GPU fails or has too little memory. ``follow`` gives the items of the
    best known solution, which completions follow; None if none is known.
    """

    def __init__(
        self,
        program: BeamProgram,
        device: Device,
        follow: Callable[[], Int64Array | None],
        seed: int = 0,
        tuning: GpuBeamTuning = GpuBeamTuning(),
    ) -> None:
        self._program, self._device, self._tuning = program, device, tuning
        self._follow = follow
        self._kernels: dict[str, tuple[Kernel, int]] = {}
        tables = program.shared_bytes
        self._shared = {
            **dict.fromkeys(("plant", "print", "distinguish", "apply"), tables),
            "rate": _RATE_BYTES + tables,
            **dict.fromkeys(("rank", "bins"), _BINS_BYTES),
            **dict.fromkeys(("pick", "count", "place", "list", "keep"), _SCAN_BYTES),
            **dict.fromkeys(("inherit", "trace"), 0),
        }
        device.begin_compiling(program.file, program.constants)
        random = np.random.default_rng(abs(seed))
        self._levels = ForwardLevels(program, device, tuning.candidates, random)
        # What is launched between two looks, in children of each lane; adapted.
        self._units = 1.0

    def _prepare(self) -> None:
        """Compile the kernels, which takes seconds the first time."""
        if not self._kernels:
            device, program = self._device, self._program
            module = device.compile(program.file, program.constants)
            self._kernels = {
                name: device.prepare(module, name, _THREADS_OF.get(name, _THREADS), shared)
                for name, shared in self._shared.items()
            }

    @property
    def widest(self) -> int:
        """Nodes a level for which the device has memory; children are counted by 32 bits."""
        room = (
            self._tuning.memory_share * self._device.free_memory()
            + self._levels.width * self._levels.node_bytes
        )
        most = (2**32 - 1) // max(self._program.levels, self._tuning.candidates)
        return max(1, min(most, int(room) // self._levels.node_bytes))

    @property
    def narrowest(self) -> int:
        """Nodes a level for which all lanes have work: narrower beams take as long."""
        lanes = self._device.multiprocessors * self._tuning.lanes_a_multiprocessor
        return max(1, lanes // self._program.levels)

    def release(self) -> None:
        """Give the memory of all levels back to the driver: other programs may want it."""
        self._levels.release()

    def _blocks(self, name: str, lanes: int) -> int:
        """Return how many blocks a kernel has for so many lanes: no more than run at once."""
        return max(1, min(self._resident(name), -(-lanes // _THREADS_OF.get(name, _THREADS))))

    def _resident(self, name: str) -> int:
        return max(1, self._kernels[name][1] * self._device.multiprocessors)

    def _launch_of(self, name: str, level: int, blocks: int, part: str | None = None) -> Launch:
        """Return what starts a kernel for a level, or for one of its selections."""
        address = self._levels.address(level, part)
        threads, shared = _THREADS_OF.get(name, _THREADS), self._shared[name]
        return self._kernels[name][0], blocks, threads, address, shared

    def _launches_of(self, level: int, most: list[int]) -> Iterator[Launch]:
        """Give what makes the next level of one whose children are rated."""
        children = most[level] * (self._program.levels - level)
        candidates = min(children, self._tuning.candidates * most[level + 1])
        for part, keys, ends in (
            ("children", children, ("list", "print", "distinguish")),
            ("candidates", candidates, ("keep", "apply", "inherit")),
        ):
            tiles = -(-keys // TILE)
            for name in _CHOOSING:
                one = name in ("pick", "place")
                blocks = 1 if one else tiles if name == "count" else 0
                blocks = blocks or self._blocks(name, keys)
                yield self._launch_of(name, level, blocks, part)
            for name in ends:
                lanes = candidates if part == "children" else most[level + 1]
                lanes *= self._program.levels - level if name == "inherit" else 1
                blocks = tiles if name in ("list", "keep") else 0
                blocks = blocks or self._blocks(name, lanes)
                yield self._launch_of(name, level, blocks)

    def _rate(self, level: int, first: int, end: int) -> None:
        """Rate some children of a level."""
        piece = PIECE.record(level=self._levels.address(level), first=first, end=end)
        blocks = self._blocks("rate", end - first)
        kernel, shared = self._kernels["rate"][0], self._shared["rate"]
        self._device.launch_with(kernel, blocks, _THREADS, piece, shared)

    def search(
        self,
        width: int,
        *,
        guide: Guide,
        cutoff: int,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> BeamResult:
        """Run one beam, the guide's weight is that of completions; see ``DeviceBeam``."""
        device, levels, known = self._device, self._program.levels, self._follow()
        self._prepare()
        self._levels.reserve(width)
        weight = 0.0 if known is None else float(guide.weight)
        order = np.arange(levels) if known is None else known
        cutoff = min(cutoff, 2**62)
        self._levels.begin(width, weight, cutoff, order)
        device.launch_in_turn([self._launch_of("plant", 0, 1)], 1)
        most = most_nodes(levels, width)
        began, done, lanes = perf_counter(), 0.0, self._resident("rate") * _THREADS
        now = self._levels.control()[0]
        for level in range(levels):
            # A completion takes as long as so many children.
            each = 1 + ((levels - level) / 2 if weight > 0 else 0.0)
            children, first = most[level] * (levels - level), 0
            while first < children and now["nodes"]:
                end = min(children, first + max(lanes, int(self._units / each) * lanes))
                self._rate(level, first, end)
                done += max(1.0, (end - first) / lanes) * each
                first = end
                if done < self._units:
                    continue
                now = self._levels.control()[level]
                ended = perf_counter()
                faster = self._tuning.wait_s / max(ended - began, 1e-6)
                self._units = max(1.0, done * min(2.0, faster))
                began, done = ended, 0.0
                if should_stop():
                    return BeamResult(None, None, False, int(now["evaluated"]), stopped=True)
            if now["nodes"] == 0:
                break
            device.launch_in_turn(list(self._launches_of(level, most)), 1)
        return self._result(cutoff, order)

    def _result(self, cutoff: int, order: Int64Array) -> BeamResult:
        """Return the better of the best leaf and the best completion, if it is below a cost."""
        program, levels = self._program, self._program.levels
        control = self._levels.control()
        reached = int(np.flatnonzero(control["nodes"])[-1])
        complete = not control["dropped"][reached]
        evaluated = int(control["evaluated"].max())
        leaf: Int64Array | None = None
        cost = cutoff
        if reached == levels:
            cost, leaf = _cost(control["least"][levels - 1]), self._path(levels, 0)
        level = int(control["completed"].argmin())
        least = _cost(control["completed"][level])
        if least < cost:
            left = levels - level
            prefix = self._path(level, int(control["who"][level]) // left)
            free = order[~np.isin(order, prefix)]
            place = int(control["who"][level]) % left
            cost = least
            leaf = np.array([*prefix, free[place], *np.delete(free, place)], np.int64)
        if leaf is None:
            return BeamResult(None, None, complete, evaluated)
        plain = program.evaluate(leaf)
        if plain != cost:
            raise DisagreementError(cost, plain)
        return BeamResult(leaf, cost, complete, evaluated)

    def _path(self, level: int, node: int) -> Int64Array:
        """Return the items that lead to a node."""
        if level == 0:
            return np.empty(0, np.int64)
        piece = PIECE.record(level=self._levels.address(level), first=node)
        self._device.launch_with(self._kernels["trace"][0], 1, 32, piece, 0)
        return self._device.read(self._levels["path"])[:level][::-1].astype(np.int64)


def _cost(key: np.uint64) -> int:
    """Return what a kernel has put into the order of unsigned numbers."""
    return int(key) - 2**63
