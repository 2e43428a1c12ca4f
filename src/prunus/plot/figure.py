"""What all plots share: Matplotlib, which is imported for the first one, and files."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from prunus.errors import InputError, missing_extra
from prunus.files.atomic import write_bytes
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


def new_axes(what: str, width: float, height: float) -> Axes:
    """Return the axes of a new figure that belongs to no window.

    ``what`` is to be drawn, for the sentence that is said when Matplotlib is missing; the size is
    in inches. Raises ``MissingExtraError`` if Matplotlib is not installed.
    """
    try:
        from matplotlib.axes import Axes
        from matplotlib.figure import Figure
    except ImportError:
        raise missing_extra(what, "plot") from None

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


def save(axes: Axes, path: str | Path) -> None:
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
        If the format is not known, or the file cannot be written; an existing file is then kept.
    """
    check_target(path)
    path = Path(path)
    figure = axes.get_figure(root=True)
    assert figure is not None
    picture = io.BytesIO()
    figure.savefig(picture, dpi=150, format=path.suffix.lower().lstrip("."))
    write_bytes(str(path), picture.getvalue())


def check_target(path: str | Path) -> None:
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
    path = Path(path)
    if path.suffix.lower().lstrip(".") not in _FORMATS:
        raise InputError(
            f"{path}: no picture can be written with this suffix; use .png, .svg or .pdf"
        )
    check_folder(path)
    new_axes("drawing", 1.0, 1.0)
