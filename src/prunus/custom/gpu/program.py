"""A user's problem as the search on a GPU sees it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.custom.costs import CostProblem
from prunus.custom.functions import functions_of
from prunus.custom.gpu.expressions import DATA, FREE, INT, STATE, letters
from prunus.custom.gpu.translator import Translator
from prunus.errors import InputError
from prunus.treesearch.beam.gpu.program import BeamProgram
from prunus.treesearch.interval.gpu.program import GpuProgram

MOST_SHARED = 24 * 1024
"""Bytes of tables that are kept in a multiprocessor's shared memory."""

_SHORT_STATE = 16
"""A state of more words leaves registers for fewer blocks."""

_ARGUMENTS = {
    "root": (DATA, STATE),
    "descend": (DATA, STATE, INT, INT),
    "feasible": (DATA, STATE, FREE, INT),
    "bound": (DATA, STATE, FREE, INT),
    "guide": (DATA, STATE, FREE, INT),
}


def translate(costs: CostProblem, *, beams: bool = False) -> str:
    """Return the functions of a problem in CUDA C++, in one line: ``CUSTOM_CODE`` of ``search.cu``.

    That of ``beam.cu`` has a guide too. Raises ``InputError`` if something cannot be translated,
    with its line.
    """
    problem = costs.problem
    translator = Translator(type(problem).__name__, problem.data)
    names = {
        name: translator.function(function, _ARGUMENTS[name])[0]
        for name, function in functions_of(type(problem)).named.items()
        if beams or name != "guide"
    }
    feasible, bound, guide = (names.get(name) for name in ("feasible", "bound", "guide"))
    checked = f"if (!{feasible}(d, s, f, n)) return (NUM)LARGEST; " if feasible else ""
    value = f"{bound}(d, s, f, n)" if bound else "(NUM)0"
    sign = "-" if problem.maximise else ""
    node, step = "const Tables& d, State s", _call(names["descend"], "d, s, n, i")
    made = [
        _Tables(costs).code,
        *translator.code,
        f"DEVICE void custom_root({node}) {{ {_call(names.get('root'), 'd, s')}}}",
        f"DEVICE void custom_descend({node}, NUM n, NUM i) {{ {step}}}",
        f"DEVICE NUM custom_cost({node}, const Free& f, NUM n) "
        f"{{ {checked}return {sign}{value} - d.base; }}",
    ]
    if beams:
        ordered = f"{sign}{guide}(d, s, f, n)" if guide else "0"
        made.append(
            f"DEVICE NUM custom_guide({node}, const Free& f, NUM n) {{ return {ordered}; }}"
        )
    return " ".join(made)


def _call(name: str | None, arguments: str) -> str:
    return "" if name is None else f"{name}({arguments}); "


class _Tables:
    """The data as words that kernels read, and what tells the kernels where everything is.

    Single numbers that are a size (the number of items, of a row) are constants of the kernels, so
    that loops can be unrolled; other instances of these sizes share the kernels.
    """

    def __init__(self, costs: CostProblem) -> None:
        data, levels = costs.problem.data, len(costs.problem.radix)
        arrays = [value for value in data if isinstance(value, np.ndarray)]
        sizes = {levels, levels + 1, costs.problem.state}.union(*(a.shape for a in arrays))
        self._words: list[NDArray[np.uint32]] = []
        self._at = 0
        types, fields, fills = [], [], []
        for field, value in zip(data._fields, data, strict=True):
            name = letters(field)
            if isinstance(value, np.ndarray):
                wide = max(-int(value.min()) - 1, int(value.max())) >= 2**31
                if wide and costs.problem.bits == 32:
                    raise InputError(
                        f"data of {type(costs.problem).__name__}: {field!r} does not fit in the "
                        "bits = 32 that the class asks for"
                    )
                element, kind = ("i64", np.int64) if wide else ("int", np.int32)
                shape = ", ".join(map(str, value.shape))
                types.append(f"typedef Array<{element}, {shape}> Field_{name};")
                at = self._put(np.ascontiguousarray(value, kind))
                fields.append(f"Field_{name} f_{name};")
                fills.append(f"t.f_{name}.p = (const {element}*)(w + {at});")
            elif value in sizes:
                fields.append(f"static constexpr NUM f_{name} = {value};")
            else:
                at = self._put(np.array([value], np.int64))
                fields.append(f"NUM f_{name};")
                fills.append(f"t.f_{name} = (NUM)word_pair(r + {at});")
        at = self._put(np.array([costs.base], np.int64))
        fills.append(f"t.base = (NUM)word_pair(r + {at});")
        self.code = (
            f"{' '.join(types)} struct Tables {{ {' '.join(fields)} NUM base; }}; "
            "DEVICE void fill_tables(Tables& t, const u32* r, const u32* w) "
            f"{{ {' '.join(fills)} }}"
        )
        self.words = np.concatenate(self._words)

    def _put(self, values: NDArray[Any]) -> int:
        """Add an array; return its first word. All begin at even words."""
        words = values.view(np.uint32).ravel()
        words = np.concatenate([words, np.zeros(len(words) % 2, np.uint32)])
        at = self._at
        self._words.append(words)
        self._at += len(words)
        return at


def custom_program(costs: CostProblem, code: str | None = None) -> GpuProgram:
    """Describe a user's problem to the search on a GPU.

    ``code`` is what ``translate`` returns, if it is known. Raises ``InputError`` if something
    cannot be translated, with its line.
    """
    problem = costs.problem
    tables = _Tables(costs).words
    size = max(1, problem.state)
    shared = tables.nbytes <= MOST_SHARED
    return GpuProgram(
        levels=len(problem.radix),
        file="custom/gpu/search.cu",
        bits=problem.bits,
        choices={
            "STATE_SIZE": size,
            "TABLE_WORDS": len(tables),
            "TABLES_SHARED": int(shared),
            "COUNTING": int(problem.counts_solutions),
            "CUSTOM_CODE": code or translate(costs),
        },
        tables=tables,
        state_words=-(-size * problem.bits // 128) * 4,
        shared_bytes=-(-tables.nbytes // 16) * 16 if shared else 0,
        blocks=8,
        solution=lambda path: path,
        evaluate=costs.evaluate,
    )


def beam_program(costs: CostProblem) -> BeamProgram:
    """Describe a user's problem to beams on a GPU.

    Raises ``InputError`` if something cannot be translated, with its line.
    """
    program = custom_program(costs, translate(costs, beams=True))
    named = functions_of(type(costs.problem)).named
    size = int(program.constants["STATE_SIZE"])
    return BeamProgram(
        levels=program.levels,
        file="custom/gpu/beam.cu",
        constants={
            **program.constants,
            "GUIDED": int("guide" in named),
            "EAGER": int("feasible" in named),
            "RATE_BLOCKS": 8 if program.state_words <= _SHORT_STATE else 4,
        },
        tables=program.tables,
        state_words=program.state_words,
        state_numbers=size,
        number_bytes=costs.problem.bits // 8,
        shared_bytes=program.shared_bytes,
        evaluate=program.evaluate,
    )
