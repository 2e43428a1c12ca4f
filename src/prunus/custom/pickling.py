"""A user's problem on its way to other processes, which may not be able to import its class."""

from __future__ import annotations

import pickle
import sys
from typing import Any

from prunus.errors import OptionError


def pickle_problem(problem: Any) -> bytes:
    """Pickle a problem; its class goes along where others could not import it.

    Raises ``InputError`` if that takes cloudpickle and there is none.
    """
    kind = type(problem)
    if not _importable(kind):
        try:
            import cloudpickle
        except ImportError:
            cloudpickle = None
        if cloudpickle is not None:
            made: bytes = cloudpickle.dumps(problem)
            return made
        if "<locals>" in kind.__qualname__:
            raise OptionError(
                "executor",
                f"workers cannot import {kind.__name__}, which is defined inside a function; "
                "move it to a module, or install cloudpickle",
            )
    try:
        return pickle.dumps(problem)
    except Exception as error:
        raise OptionError(
            "executor",
            f"this {kind.__name__} cannot be sent to workers ({error}); keep what "
            "cannot be pickled out of its attributes",
        ) from error


def unpickle_problem(data: bytes) -> Any:
    """Return the problem.

    Raises ``InputError`` if its class cannot be imported here.
    """
    try:
        return pickle.loads(data)
    except (ImportError, AttributeError) as error:
        raise OptionError(
            "executor",
            f"a worker cannot import the problem's class ({error}); put its module where "
            "workers can find it",
        ) from error


def _importable(kind: type) -> bool:
    """Tell whether other processes may find a class by its name."""
    if kind.__module__ in ("__main__", "builtins"):
        return False
    found: Any = sys.modules.get(kind.__module__)
    for part in kind.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is kind and getattr(sys.modules[kind.__module__], "__spec__", None) is not None
