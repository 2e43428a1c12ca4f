"""Read a problem from a file or by its name: which format it is, and nothing else."""

from __future__ import annotations

import os
import re
import shlex
import warnings
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Literal, TypeAlias, overload

from prunus.errors import InputError, OptionError
from prunus.files.formats import ANYTHING, Evidence, FormatModule, Request
from prunus.files.paths import check_current_folder, path_text
from prunus.files.table import is_table
from prunus.files.textfile import TextFile
from prunus.files.workbook import is_workbook, load_workbook
from prunus.instance_names import build, looks_like_a_name, published_name
from prunus.model.problem import Problem
from prunus.model.registry import AnySpec, known_specs, spec_of
from prunus.model.spec import FormatSpec
from prunus.runtime.checkpoint.container import is_checkpoint

if TYPE_CHECKING:
    from prunus.assignment.problem import Assignment
    from prunus.atsp.problem import ATSP
    from prunus.flowshop.problem import FlowShop
    from prunus.knapsack.problem import Knapsack
    from prunus.nqueens.problem import NQueens
    from prunus.subsetsum.problem import SubsetSum

Found: TypeAlias = tuple[AnySpec, FormatSpec]


def kinds() -> tuple[str, ...]:
    """Return what a file may be said to hold."""
    return tuple(
        kind
        for spec in known_specs()
        if spec.formats
        for kind in (spec.kind, *(f"{spec.kind}-{layout}" for layout in spec.layouts))
    )


def kinds_text() -> str:
    """Return the same for a sentence."""
    *most, last = kinds()
    return f"{', '.join(most)} or {last}"


_FlowShopKind: TypeAlias = Literal["flowshop", "flowshop-by-job", "flowshop-by-machine"]


@overload
def read(source: str | os.PathLike[str], *, kind: _FlowShopKind) -> FlowShop: ...


@overload
def read(source: str | os.PathLike[str], *, kind: Literal["queens"]) -> NQueens: ...


@overload
def read(source: str | os.PathLike[str], *, kind: Literal["atsp"]) -> ATSP: ...


@overload
def read(source: str | os.PathLike[str], *, kind: Literal["knapsack"]) -> Knapsack: ...


@overload
def read(source: str | os.PathLike[str], *, kind: Literal["subsetsum"]) -> SubsetSum: ...


@overload
def read(source: str | os.PathLike[str], *, kind: Literal["assignment"]) -> Assignment: ...


@overload
def read(source: str | os.PathLike[str], *, kind: str | None = None) -> Problem: ...


def read(source: str | os.PathLike[str], *, kind: str | None = None) -> Problem:
    """Read a problem from a file, or generate it from its name.

    Parameters
    ----------
    source
        The path of a file, or a name: ``"ta001"`` to ``"ta120"`` (Taillard's flow shops),
        ``"taillard:50:20:SEED"``, ``"queens:16"``, ``"crane:15:SEED"``, ``"tsmat:15:SEED"``,
        ``"knapsack:strongly:1000:1000:SEED"``, ``"subsetsum:48:50:SEED"`` and others, which
        ``prunus generate`` lists. A name means its instance in every folder; a file of that very
        name is read as ``"./ta001"``, or as a ``Path``. If a file holds several instances,
        ``"tai20_5.txt#3"`` is the third.

        The format is detected from the content: Taillard's text and bare matrices, VFR, TSPLIB
        ATSP with a full matrix, CSV with or without names; DIMACS assignment (``p asn``), or a
        CSV table whose first cell is ``agent``;
        knapsacks of kplib (.kp), of Pisinger's and of Jooken's generators, and as CSV with columns
        ``profit`` and ``weight`` and a row ``capacity``; subset sums as text (the number of items,
        the weights, the target), as JSON
        (``{"weights": […], "target": …}``) and as CSV (a name and a weight a row, and a row
        ``target``).
    kind
        What the file holds, if its content is ambiguous: ``"flowshop"``; ``"atsp"``;
        ``"knapsack"``; ``"subsetsum"``; ``"assignment"``; ``"flowshop-by-job"`` or
        ``"flowshop-by-machine"``, which say what a row of the matrix is.
        By default a CSV table is a flow shop with a row for each job, unless its first cell says
        otherwise. If it has only one column, or looks like distances, the kind must be given.
        In other formats, a square matrix without names, whose shape decides nothing, has a row for
        each machine, as in the instances that Taillard published.

    Returns
    -------
    Problem
        Named after the file or the name. A type checker knows its class if the kind is given.

    Raises
    ------
    InputError
        Naming the file and the line, if there is no such file or name, or if the content is
        truncated, has extra text, contains something other than numbers, or is in an unknown
        format.

    Examples
    --------
    >>> read("ta056")
    FlowShop('ta056', 50 jobs × 20 machines)
    """
    if kind is not None and not (isinstance(kind, str) and kind in kinds()):
        raise OptionError("kind", f"is not one of {', '.join(kinds())}", kind)
    path = path_text(source)
    wanted, layout = _wanted(kind)
    problem = named_instance(path) if isinstance(source, str) else None
    if problem is None:
        problem = _read_file(path, wanted, layout)
    elif os.path.isfile(path) and not is_checkpoint(path):
        words = f"{path} is the instance of that name; the file here is {os.path.join('.', path)}"
        warnings.warn(words, stacklevel=2)
    found = spec_of(problem)
    if wanted is not None and found is not wanted:
        nouns = found.words.noun, wanted.words.noun
        reason = f"this is {nouns[0]}, not {nouns[1]} as {{kind:{kind}}} says"
        raise OptionError("kind", reason, where=path)
    return problem


def named_instance(text: str) -> Problem | None:
    """Return the instance of a name; None for the path of a file, whether it exists or not.

    Raises ``InputError`` if it can only be a name, and is none.
    """
    if not (looks_like_a_name(text) or _has_no_folder_or_suffix(text)):
        return None
    try:
        return build(text)
    except InputError:
        if os.path.exists(text) or os.path.isfile(_split_index(text)[0]):
            return None
        raise


def _wanted(kind: str | None) -> tuple[AnySpec | None, str | None]:
    """Return the problem and the layout that a kind stands for."""
    for spec in known_specs():
        if kind == spec.kind:
            return spec, None
        for layout in spec.layouts:
            if kind == f"{spec.kind}-{layout}":
                return spec, layout
    return None, None


def _has_no_folder_or_suffix(text: str) -> bool:
    return not ("/" in text or os.sep in text or "." in text)


def _split_index(path: str) -> tuple[str, int | None]:
    match = re.fullmatch(r"(.+)#([0-9]{1,6})", path, re.DOTALL)
    return (path, None) if match is None or os.path.exists(path) else (match[1], int(match[2]))


def _read_file(path: str, wanted: AnySpec | None, layout: str | None) -> Problem:
    check_current_folder(path)
    path, index = _split_index(path)
    if not os.path.exists(path):
        name = published_name(os.path.splitext(os.path.basename(path))[0])
        hint = f"; the instance {name} needs none, just say {name}" if name else ""
        raise InputError(f"there is no file {path}{hint}")
    if is_checkpoint(path):
        raise InputError(
            f"{path} is a checkpoint; continue it with prunus.resume({path!r}), or on the command "
            f"line with prunus resume {shlex.quote(path)}"
        )
    file = load_workbook(path) if is_workbook(path) else TextFile.load(path)
    return parse(file, wanted, Request(index, layout))


def parse(file: TextFile, wanted: AnySpec | None = None, request: Request = ANYTHING) -> Problem:
    """Read a problem from the content of a file.

    ``wanted`` is what the file is said to hold, None to tell it by the content; ``request`` says
    which of several instances, and what a row of a matrix is.

    Raises ``InputError`` naming the file.
    """
    try:
        form = _recognised(file, wanted)[1]
        if request.index is not None and not form.several:
            raise file.error(f"the file holds one instance; leave out #{request.index}")
        problem: Problem = _module(form).loads(file, request)
    except InputError as error:
        asks = isinstance(error, OptionError) and error.where is not None
        if asks or str(error).startswith(file.path):
            raise
        raise file.error(str(error)) from None  # from the problem itself, which knows no file
    return problem


def _recognised(file: TextFile, wanted: AnySpec | None) -> Found:
    """Return which problem a file holds and in which format.

    Raises ``InputError`` if it is no format that is known, or could hold several problems.
    """
    found: dict[Evidence, list[Found]] = {}
    for spec, form in _readable():
        evidence = _module(form).recognises(file)
        if evidence is Evidence.CERTAIN:
            return spec, form
        found.setdefault(evidence, []).append((spec, form))
    for evidence in (Evidence.COUNTED, Evidence.LIKELY, Evidence.POSSIBLE):
        candidates = found.get(evidence, [])
        ours = [one for one in candidates if wanted in (None, one[0])]
        if wanted is not None and ours:
            return ours[0]
        if wanted is None and evidence is not Evidence.POSSIBLE and candidates:
            # Several formats of one problem are in order; the first one is meant.
            if len({spec.kind for spec, _ in candidates}) == 1:
                return candidates[0]
            raise _ambiguous(file, candidates)
    likely = [*found.get(Evidence.COUNTED, []), *found.get(Evidence.LIKELY, [])]
    if wanted is not None and likely:
        return likely[0]  # it is something else, which is then said
    if wanted is None and is_table(file) and found.get(Evidence.POSSIBLE):
        raise _ambiguous(file, found[Evidence.POSSIBLE])
    known = "; ".join(dict.fromkeys(form.meaning for _, form in _readable()))
    if file.path.endswith(".py"):
        raise file.error(
            "Python code, not an instance; on the command line, name a problem in it as "
            "FILE.py:NAME, and in Python pass the problem to prunus.solve"
        )
    raise file.error(
        f"not a format that prunus knows: it begins with {file.lines[0].text.strip()[:40]!r}. "
        f"Known formats: {known}"
    )


def _readable() -> Iterator[Found]:
    """Go through the formats that are read, those first that a few lines tell."""
    every = [(spec, form) for spec in known_specs() for form in spec.formats if form.reads]
    yield from (one for one in every if not one[1].long)
    yield from (one for one in every if one[1].long)


def _module(form: FormatSpec) -> FormatModule:
    module: FormatModule = import_module(form.module)
    return module


def _ambiguous(file: TextFile, candidates: list[Found]) -> OptionError:
    held = {spec.kind for spec, _ in candidates}
    specs = {spec.kind: spec for spec in known_specs() if spec.kind in held}
    *nouns, noun = (spec.words.noun for spec in specs.values())
    *most, last = (f"{{kind:{kind}}}" for kind in specs)
    what = f"{', '.join(nouns)} or {noun}" if nouns else noun
    which = f"{', '.join(most)} or {last}" if most else last
    return OptionError("kind", f"this may be {what}; say which it is with {which}", where=file.path)
