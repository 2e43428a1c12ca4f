"""Simulated annealing of a user's problem on a GPU: as many chains as it holds, in slices."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from prunus._native.custom import CHANGE_KINDS
from prunus.custom.gpu.layout import RUN, TALLY
from prunus.hardware.device import Device
from prunus.model.arrays import AnyArray, Int64Array
from prunus.treesearch.beam.gpu.program import BeamProgram
from prunus.treesearch.portfolio.pairs import sources_in_pairs

_FILE = "custom/gpu/anneal.cu"
_THREADS = 128
_EXPONENTIALS = 4096


@dataclass(frozen=True, slots=True)
class ChainTuning:
    """The parameters of many chains."""

    blocks: int = 2
    """Blocks of a multiprocessor, at most: fewer chains make as many changes together, or nearly,
    and get further."""
    memory_share: float = 0.1
    """Of the free memory so much may be used for states: with large ones there are fewer chains."""


TUNING = ChainTuning()


def annealing_program(program: BeamProgram) -> BeamProgram:
    """Return what the kernel of local search is made of, given what that of beams is."""
    constants = {**program.constants, "CHAIN_BLOCKS": TUNING.blocks}
    return replace(program, file=_FILE, constants=constants)


class GpuAnnealing:
    """Chains of one problem on one GPU.

    Raises ``DeviceError`` if the GPU fails or has too little memory.
    """

    def __init__(
        self, program: BeamProgram, device: Device, seed: int, tuning: ChainTuning = TUNING
    ) -> None:
        self._program, self._device = program, device
        self._random = np.random.default_rng(abs(seed))
        levels = self._levels = program.levels
        rows = 2 * (levels + levels % 2) * 2 * (_THREADS // device.warp)
        self._shared = program.shared_bytes + rows
        module = device.compile(program.file, program.constants)
        self._kernel, resident = device.prepare(module, "anneal", _THREADS, self._shared)
        each = _THREADS // device.warp
        states = 4 * program.state_words * levels * each  # bytes of a block
        fits = int(tuning.memory_share * device.free_memory()) // states
        most = min(resident, tuning.blocks) * device.multiprocessors
        self._blocks = max(1, min(fits, most))
        chains = self.chains = self._blocks * each
        places = (np.arange(_EXPONENTIALS) + 0.5) / _EXPONENTIALS
        self._arrays = {
            "tables": device.put(program.tables),
            "first": device.empty(chains * levels, "u2"),
            "second": device.empty(chains * levels, "u2"),
            "first_costs": device.empty(chains, "i8"),
            "second_costs": device.empty(chains, "i8"),
            "sources": device.empty(chains, "u4"),
            "bests": device.empty(chains * levels, "u2"),
            "least": device.empty(chains, "i8"),
            "states": device.empty(chains * levels * program.state_words, "u4"),
            "exponentials": device.put(-np.log(places).astype(np.float32)),
        }
        self._sources = np.arange(chains)

    def begin(self, order: Int64Array, cost: int) -> None:
        """Have all chains begin with a solution."""
        device, arrays, chains = self._device, self._arrays, self.chains
        device.write(arrays["first"], np.tile(order.astype(np.uint16), chains))
        device.write(arrays["bests"], np.tile(order.astype(np.uint16), chains))
        device.write(arrays["first_costs"], np.full(chains, cost, np.int64))
        device.write(arrays["least"], np.full(chains, cost, np.int64))
        self._sources = np.arange(chains)

    def meet(self, readily: float) -> None:
        """Have chains go on from better ones' solutions; see ``sources_in_pairs``."""
        self._sources = sources_in_pairs(self.costs, readily, self._random)

    def run(self, steps: int, temperature: float, decay: float, weights: AnyArray) -> AnyArray:
        """Do some steps; return a ``Tally``. Of the kinds of changes so much is drawn each."""
        device, arrays = self._device, self._arrays
        device.write(arrays["sources"], self._sources.astype(np.uint32))
        tally = device.put(np.zeros(1, TALLY.dtype).view(np.uint8))
        record = RUN.record(
            seed=int(self._random.integers(2**63)),
            chains=self.chains,
            steps=steps,
            temperature=temperature,
            decay=decay,
            tally=device.address(tally),
        )
        places = {"from": "first", "from_costs": "first_costs", "to": "second"}
        for name in ("tables", "sources", "bests", "least", "states", "exponentials"):
            record[name] = device.address(arrays[name])
        for name, place in {**places, "to_costs": "second_costs"}.items():
            record[name] = device.address(arrays[place])
        shares = np.cumsum(weights) / np.sum(weights)
        record["limits"][0, :CHANGE_KINDS] = np.rint(4096 * shares)
        run = device.put(record.view(np.uint8))
        device.launch(self._kernel, self._blocks, _THREADS, device.address(run), self._shared)
        for name in ("{}", "{}_costs"):
            one, two = name.format("first"), name.format("second")
            arrays[one], arrays[two] = arrays[two], arrays[one]
        self._sources = np.arange(self.chains)
        found: AnyArray = device.read(tally).view(TALLY.dtype)[0]
        return found

    @property
    def costs(self) -> Int64Array:
        """What the present solutions cost."""
        found: Int64Array = self._device.read(self._arrays["first_costs"])
        return found

    def best(self) -> tuple[Int64Array, int]:
        """Return the best solution of all, and its cost."""
        least = self._device.read(self._arrays["least"])
        chain, levels = int(least.argmin()), self._levels
        row = self._arrays["bests"][chain * levels : (chain + 1) * levels]
        return self._device.read(row).astype(np.int64), int(least[chain])
