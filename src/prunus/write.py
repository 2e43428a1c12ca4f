"""Write a problem to a file: which format, and nothing else."""

from __future__ import annotations

import os
from importlib import import_module

import numpy as np

from prunus.errors import InputError, OptionError
from prunus.files import atomic
from prunus.files.paths import file_path
from prunus.files.textfile import TextFile
from prunus.model.problem import Problem
from prunus.model.registry import AnySpec, known_specs, spec_of
from prunus.model.spec import FormatSpec
from prunus.read import parse

_NO_TEXT = ("xlsx", "xls", "ods", "parquet", "feather", "npy", "npz", "pkl", "mat")
"""Suffixes of files that hold no text: nobody means Taillard's format by them."""


def format_names() -> tuple[str, ...]:
    """Return what problems may be written as."""
    names = (form.name for spec in known_specs() for form in spec.formats if form.writes)
    return tuple(dict.fromkeys(names))


def write(problem: Problem, path: str | os.PathLike[str], *, format: str | None = None) -> None:
    """Write a problem to a file that :func:`prunus.read` reads back.

    The file is written atomically; an existing one is replaced. CSV and JSON keep the names of
    jobs, machines, cities and items; the other formats cannot. A problem that could not be read
    back as the same problem is an error. JSON can hold every problem except your own.

    Parameters
    ----------
    problem
        A problem that has a file format.
    path
        The file to write.
    format
        One of the problem's formats: ``"taillard"`` or ``"csv"`` for a flow shop, for example.
        "Options and capabilities" in the documentation lists them. By default the suffixes .csv,
        .tsv and .json select these formats, and any other suffix the usual text format of the
        problem.

    Raises
    ------
    InputError
        If the format does not fit the problem or cannot hold it, or the file cannot be written.
    """
    target = file_path(path, "a path")
    spec = spec_of(problem)
    forms = {form.name: form for form in spec.formats if form.writes}
    if not forms:
        raise InputError(spec.no_file(problem))
    if format is None:
        format = _by_suffix(os.path.splitext(target)[1].lower()[1:], forms)
    if not isinstance(format, str) or format not in forms:
        known = ", ".join(forms)
        raise OptionError("format", f"{spec.words.noun} is written as {known}; got {format!r}")
    form = forms[format]
    text = _text(problem, spec, form, target, names=form.names)
    if text is None:
        others = [name for name, other in forms.items() if _holds(problem, spec, other, target)]
        instead = f"; write it as {' or '.join(others)}" if others else ""
        raise InputError(
            f"{format} cannot hold {spec.words.noun} like this one, which would be read back as "
            f"another{instead}"
        )
    atomic.write_text(target, text)


def _by_suffix(suffix: str, forms: dict[str, FormatSpec]) -> str:
    """Return the format that a suffix means, the problem's own format of text for any other."""
    if suffix in _NO_TEXT:
        known = " or ".join(f".{each}" for form in forms.values() for each in form.suffixes)
        raise InputError(f"a problem is written as text and not as .{suffix}; name a file {known}")
    fitting = (form.name for form in forms.values() if suffix in form.suffixes)
    return next(fitting, next(iter(forms)))


def _text(
    problem: Problem, spec: AnySpec, form: FormatSpec, path: str, *, names: bool
) -> str | None:
    """Return the text of a problem; None if what is read back differs, ``names`` included."""
    text: str = import_module(form.module).dumps(problem, form.separator)
    try:
        again = parse(TextFile.from_text(path, text))
    except InputError:
        return None
    same = type(again) is type(problem) and _equal(spec.data(again), spec.data(problem))
    return text if same and (not names or spec.labels(again) == spec.labels(problem)) else None


def _holds(problem: Problem, spec: AnySpec, form: FormatSpec, path: str) -> bool:
    """Tell whether nothing of a problem is lost in a format, its names included."""
    try:
        return _text(problem, spec, form, path, names=True) is not None
    except InputError:
        return False


def _equal(first: tuple[object, ...], second: tuple[object, ...]) -> bool:
    """Compare values among which there may be arrays."""
    return len(first) == len(second) and all(
        np.array_equal(one, other)
        if isinstance(one, np.ndarray) and isinstance(other, np.ndarray)
        else one is other or (type(one) is type(other) and one == other)
        for one, other in zip(first, second, strict=True)
    )
