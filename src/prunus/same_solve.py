"""Whether a checkpoint is of the solve that is asked for: then that can simply go on."""

from __future__ import annotations

import os

import numpy as np

from prunus.errors import OptionError
from prunus.files.paths import file_path
from prunus.model.options import checked_method, checked_options
from prunus.model.registry import spec_of
from prunus.model.scalar import choose
from prunus.model.spec import OptionValue
from prunus.runtime.checkpoint import Checkpoint
from prunus.runtime.checkpoint.problem import to_parts


def checked_resume(resume: str, checkpoint: str | os.PathLike[str] | None) -> str | None:
    """Return the checkpoint to go on from; None if the solve shall begin.

    Raises ``InputError`` if it is not said where the checkpoint is.
    """
    if choose("resume", resume, ("never", "auto")) == "never":
        return None
    if checkpoint is None:
        raise OptionError("resume", "continues from a checkpoint; name it with {checkpoint}")
    path = file_path(checkpoint, "the path of a checkpoint")
    return path if os.path.exists(path) else None


def check_same(saved: Checkpoint, asked: Checkpoint) -> None:
    """Raise ``InputError`` unless both are of the same problem, solved in the same way."""
    spec = spec_of(asked.problem)
    words, arrays = to_parts(saved.problem)
    wanted_words, wanted_arrays = to_parts(asked.problem)
    differs, wanted = None, _options(asked)
    if words != wanted_words or not (
        arrays.keys() == wanted_arrays.keys()
        and all(np.array_equal(arrays[name], wanted_arrays[name]) for name in arrays)
    ):
        differs = "problem"
    elif checked_method(spec, saved.method) != checked_method(spec, asked.method):
        differs = "method"
    elif others := [name for name, value in _options(saved).items() if wanted[name] != value]:
        differs = " and ".join(name.replace("_", " ") for name in others)
    elif saved.upper_bound != asked.upper_bound:
        differs = "upper bound"
    elif saved.seed != asked.seed:
        differs = "seed"
    if differs is not None:
        raise OptionError(
            "resume", f"the checkpoint has another {differs}; name another file for this solve"
        )


def _options(solve: Checkpoint) -> dict[str, OptionValue]:
    """Return the options that a solve has, those that it was not given included."""
    spec = spec_of(solve.problem)
    return checked_options(
        *(spec, solve.problem, dict(solve.options)),
        method=checked_method(spec, solve.method),
        upper_bound=solve.upper_bound,
    )
