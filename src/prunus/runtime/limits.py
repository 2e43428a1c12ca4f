"""The limits of a solve, checked: seconds, a stopping criterion, an upper bound, a seed."""

from __future__ import annotations

import numpy as np

from prunus.errors import InputError, OptionError


def check_seconds(name: str, value: object) -> None:
    """Raise ``InputError`` unless a value is a number of seconds."""
    number = isinstance(value, (int, float, np.integer, np.floating))
    if isinstance(value, bool) or not (number and value >= 0):  # type: ignore[operator]
        raise OptionError(name, "is not a number of seconds, 0 or more", value)
    try:
        float(value)  # type: ignore[arg-type]
    except OverflowError:
        raise OptionError(name, "is beyond all floats; leave it out for no limit") from None


def check_limits(
    time_limit: float | None,
    stop: object,
    upper_bound: float | None,
    seed: int,
    on_incumbent: object = None,
    *,
    signed: bool = False,
) -> None:
    """Raise ``InputError`` for the first limit that is invalid.

    With `signed`, objectives may be negative, and so may ``upper_bound``.
    """
    if time_limit is not None:
        check_seconds("time_limit", time_limit)
    if stop is not None and not callable(stop):
        raise OptionError("stop", "cannot be called; use a criterion from prunus.stop", stop)
    if isinstance(stop, type):
        raise InputError(
            f"stop is the class {stop.__name__}; create an instance, such as {stop.__name__}(…)"
        )
    if on_incumbent is not None and not callable(on_incumbent):
        raise OptionError("on_incumbent", "cannot be called", on_incumbent)
    for name, value in (("upper_bound", upper_bound), ("seed", seed)):
        if name == "upper_bound":
            if value is None:
                continue
            if isinstance(value, float) and value.is_integer():  # a result's objective may be one
                value = int(value)
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
            raise OptionError(name, "is not an integer", value)
        negative = signed and name == "upper_bound"
        if not (-(2**62) if negative else -1) < value < 2**62:
            least = "-2**62 + 1" if negative else "0"
            raise OptionError(name, f"is not between {least} and 2**62 - 1", value)
