"""Everything public says what it takes and what it gives."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import pytest

import prunus
import prunus.plot
import prunus.stop


def public() -> Iterator[tuple[str, Any]]:
    """Give the name and the object of all that is public, methods included."""
    for module in (prunus, prunus.plot, prunus.stop):
        for name in module.__all__:
            found = getattr(module, name)
            if name.startswith("_") or not callable(found):
                continue
            yield f"{module.__name__}.{name}", found
            if not inspect.isclass(found):
                continue
            for part, value in vars(found).items():
                inner = getattr(value, "__func__", value)  # of a class method
                if not part.startswith("_") and inspect.isfunction(inner):
                    yield f"{module.__name__}.{name}.{part}", inner


@pytest.mark.parametrize(("name", "found"), list(public()))
def test_parameters_and_values_are_documented(name: str, found: Any) -> None:
    """A line for each parameter or attribute, and what comes back."""
    words = inspect.getdoc(found) or ""
    assert words
    if found in (prunus.Status, prunus.stop.StoppingCriterion) or is_error(found):
        return  # their parameters are Python's
    signature = inspect.signature(found)
    for parameter in signature.parameters:
        line = rf"^\*{{0,2}}(\w+, )*{parameter}(, \w+)*( : .*)?$"
        assert parameter in ("self", "cls") or re.search(line, words, re.MULTILINE), parameter
    gives = inspect.isfunction(found) and signature.return_annotation not in (None, "None")
    assert not gives or "Returns\n-------\n" in words


def is_error(found: Any) -> bool:
    """Whether it is an exception, which takes a sentence."""
    return inspect.isclass(found) and issubclass(found, Exception)
