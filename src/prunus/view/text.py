"""Numbers and durations as people read them, in a few columns."""

from __future__ import annotations

import math

_PREFIXES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))


def count(number: int | float) -> str:
    """Write a whole number with thousands separators: ``2,415,834``."""
    return f"{number:,}"


def rate(per_second: float) -> str:
    """Write a speed with three significant digits and a prefix: ``3.31 M/s``."""
    for factor, prefix in _PREFIXES:
        # 999.6 k is written "1.00 M", never "1000 k".
        if per_second >= factor * 0.9995:
            value = per_second / factor
            digits = max(0, 2 - int(math.log10(max(value, 1.0)) + 1e-9))
            return f"{value:.{digits}f} {prefix}/s"
    return f"{per_second:.0f}/s"


def seconds(number: float) -> str:
    """Write a time span as a plain number: to the millisecond, and short ones in three digits."""
    return f"{number:.3f}" if number >= 1 else f"{number:.3g}"


def duration(seconds: float) -> str:
    """Write a time span in its two leading units: ``4.21 s``, ``3 min 07 s``, ``25 d 3 h``."""
    if not math.isfinite(seconds):
        return "∞"
    if 0.0 < seconds < 0.00995:
        return f"{1000 * seconds:.1f} ms" if seconds >= 5e-5 else "<0.1 ms"
    if seconds < 9.995:
        return f"{seconds:.2f} s"
    if seconds < 59.95:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    hours, minutes = divmod(minutes, 60)
    if hours < 24:
        return f"{hours} h {minutes:02d} min"
    days, hours = divmod(hours, 24)
    if days < 366:
        return f"{days} d {hours} h"
    years = days / 365.25
    return f"{years:,.0f} years" if years < 1e6 else f"{years:.0e} years"


def rough_duration(seconds: float) -> str:
    """Write a time span that is still running or only estimated: no parts of a second."""
    return f"{seconds:.0f} s" if seconds < 59.5 else duration(seconds)


def rough_range(least: float, most: float) -> str:
    """Write between which seconds something is, in one unit: ``20 to 45 s``, ``2 to 5 min``.

    Nothing is said of the least where that is next to nothing, ``up to 5 min``, and of the most
    where that is years: ``over 7 d 3 h``.
    """
    if most >= 2 * 365 * 86_400:
        return f"over {duration(least)}"
    units = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))
    unit, size = next((name, size) for name, size in units if most >= 2 * size or size == 1)
    low, high = round(least / size), round(most / size)
    return f"{low} to {high} {unit}" if low else f"up to {high} {unit}"


def percent(fraction: float) -> str:
    """Write a fraction as a percentage that reads 100 % only when it is exactly one.

    The fraction is from 0 to 1; gaps above 1 are fine too.
    """
    if fraction == 0.0:
        return "0 %"
    if fraction == 1.0:
        return "100 %"
    value = 100.0 * fraction
    if value > 100.0:
        return f"{value:.0f} %"
    if value < 0.01:
        return "<0.01 %"
    # Rounding must not announce an end that has not come.
    return f"{min(value, 99.99):.2f} %"


def plural(number: int, noun: str) -> str:
    """Write a number with its noun: ``1 job``, ``20 jobs``."""
    return f"{number:,} {noun if number == 1 else noun + 's'}"


def shortened(label: str, room: int) -> str:
    """Cut a label to so many characters, with an ellipsis; nothing if too few of it were left."""
    if len(label) <= room:
        return label
    return f"{label[: room - 1].rstrip()}…" if room >= 4 else ""
