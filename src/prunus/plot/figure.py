"""What all plots share: Matplotlib, which is imported for the first one, and files."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from prunus.errors import InputError, missing_extra
from prunus.files.atomic import write_bytes
from prunus.files.paths import path_text
from prunus.result import Result
from prunus.solution_file import check_folder

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FORMATS = (
    *("eps", "jpeg", "jpg", "pdf", "pgf", "png", "ps"),
    *("raw", "rgba", "svg", "svgz", "tif", "tiff", "webp"),
)
"""What Matplotlib writes; known without it, so that no one installs it for a suffix in vain."""


def known_result(result: object) -> Result:
    """Return a result; raise ``InputError`` if it is none."""
    if not isinstance(result, Result):
        raise InputError(f"expected the result of a solve, not {type(result).__name__}")
    return result


def known_axes(axes: object) -> Axes:
    """Return axes; raise ``InputError`` if they are none."""
    from matplotlib.axes import Axes

    if not isinstance(axes, Axes):
        raise InputError(
            f"expected axes, such as prunus.plot.gantt returns, not {type(axes).__name__}"
        )
    return axes


def axes_for(given: Axes | None, what: str, width: float, height: float) -> Axes:
    """Return the axes to draw into: those given, or those of a new figure of no window.

    ``what`` is to be drawn, for the sentence that is said when Matplotlib is missing; the size is
    in inches. Raises ``MissingExtraError`` if Matplotlib is not installed, ``InputError`` if what
    is given are no axes.
    """
    try:
        from matplotlib.axes import Axes
        from matplotlib.figure import Figure
    except ImportError:
        raise missing_extra(what, "plot") from None

    if given is not None:
        return known_axes(given)

    class ShownAxes(Axes):
        """Axes that a notebook shows as the picture that they are in."""

        def _repr_png_(self) -> bytes:
            picture = io.BytesIO()
            figure.savefig(picture, format="png")
            return picture.getvalue()

    # Not pyplot: a library must neither open windows nor keep figures alive.
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure.add_subplot(axes_class=ShownAxes)


def draw_grid(axes: Axes, *bare: str, across: Literal["both", "x"] = "both") -> None:
    """Put a light grid behind what is drawn; the ``bare`` sides have no line."""
    axes.grid(axis=across, color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[list(bare)].set_visible(False)


def save(axes: Axes, path: str | os.PathLike[str]) -> None:
    """Write the figure of some axes to a file whose suffix names the format.

    Parameters
    ----------
    axes
        The axes that `gantt` and the other functions return.
    path
        The file, e.g. ``"schedule.png"``.

    Raises
    ------
    InputError
        If these are no axes, the format is not known, or the file cannot be written; an existing
        file is then kept.
    """
    target = target_path(path)
    check_target(target)
    figure = known_axes(axes).get_figure(root=True)
    assert figure is not None
    picture = io.BytesIO()
    figure.savefig(picture, dpi=150, format=target.suffix.lower().lstrip("."))
    write_bytes(str(target), picture.getvalue())


def target_path(path: str | os.PathLike[str]) -> Path:
    """Return the path of a picture; raise ``InputError`` if it is none."""
    return Path(path_text(path, "the path of a picture"))


def check_target(path: str | os.PathLike[str]) -> None:
    """Refuse a picture that could not be written, before any work is done for it.

    Parameters
    ----------
    path
        The file.

    Raises
    ------
    InputError
        If the format is not known or the folder does not exist.
    MissingExtraError
        If Matplotlib is not installed.
    """
    target = target_path(path)
    if target.suffix.lower().lstrip(".") not in _FORMATS:
        raise InputError(
            f"{target}: no picture can be written with this suffix; use .png, .svg or .pdf"
        )
    check_folder(target)
    axes_for(None, "drawing", 1.0, 1.0)
