"""A placement of queens on its board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from prunus.errors import InputError
from prunus.plot.figure import axes_for
from prunus.result import Result
from prunus.view import wording

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def board(subject: Any, columns: Any = None, *, ax: Axes | None = None) -> Axes:
    """Draw a placement of queens.

    Parameters
    ----------
    subject
        A `Result` with a placement, or the problem.
    columns
        The column of the queen of each row; needed with a problem.
    ax
        The axes to draw into; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Save it with ``prunus.plot.save(ax, "board.png")``.

    Raises
    ------
    InputError
        If there is no placement to draw or it does not fit the board.
    MissingExtraError
        If Matplotlib is not installed.
    """
    problem = subject.problem if isinstance(subject, Result) else subject
    if not wording.counts_solutions(problem):
        raise InputError(f"a board shows N-Queens, not {type(problem).__name__}")
    if columns is None and isinstance(subject, Result):
        columns = subject.solution
    if columns is None:
        raise InputError("there is no placement to draw: give the column of each row's queen")
    attacks = problem.evaluate(columns)
    size = problem.n
    ax = axes_for(ax, "drawing a board", 5.0, 5.2)
    squares = np.indices((size, size)).sum(axis=0) % 2
    ax.imshow(squares, cmap="Greys", vmin=0, vmax=4, interpolation="nearest")
    # Matplotlib's own font has the chess queen.
    for row, column in enumerate(columns):
        ax.text(
            int(column), row, "♛", ha="center", va="center_baseline", fontsize=max(4, 200 / size)
        )
    ax.set_xticks([])
    ax.set_yticks([])
    words = "no queen attacks another" if attacks == 0 else f"{attacks} pairs attack each other"
    ax.set_title(f"{size} queens: {words}", fontsize=11)
    return ax
