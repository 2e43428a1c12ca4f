"""A schedule in a file: as a page or an SVG picture without Matplotlib, else with it."""

from __future__ import annotations

import html
import os
from importlib.util import find_spec
from pathlib import Path

from prunus.errors import InputError
from prunus.files.atomic import write_bytes
from prunus.plot.figure import check_target, known_result, save, target_path
from prunus.plot.gantt import gantt
from prunus.result import Result
from prunus.solution_file import check_folder
from prunus.view import wording
from prunus.view.schedule_svg import schedule_svg

# The picture grows with the window; where that is too narrow for its labels, it is scrolled.
_PAGE = """<!DOCTYPE html>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{title}</title>
<style>
body {{ font-family: sans-serif }}
div {{ overflow-x: auto }}
svg {{ width: 100%; min-width: 640px; max-width: 60rem; height: auto }}
</style>
{body}"""


def check_schedule_target(path: str | os.PathLike[str]) -> None:
    """Refuse a file that could not be written, before any work is done for it.

    Parameters
    ----------
    path
        The file; its suffix names the format.

    Raises
    ------
    InputError
        If the format is not known or the folder does not exist.
    MissingExtraError
        If the format needs Matplotlib, which is not installed.
    """
    target = target_path(path)
    if _is_ours(target):
        check_folder(target)
    else:
        check_target(target)


def save_schedule(result: Result, path: str | os.PathLike[str]) -> None:
    """Write the Gantt chart of a result's schedule.

    Parameters
    ----------
    result
        A result of a flow shop with a schedule.
    path
        The file: a page (``.html``), or a picture in one of Matplotlib's formats. ``.html`` and
        ``.svg`` do not need Matplotlib.

    Raises
    ------
    InputError
        If there is no schedule, or too large a one for a page.
    """
    target = target_path(path)
    known_result(result)
    if not _is_ours(target):
        save(gantt(result), target)
        return
    if not wording.has_schedule(result.problem) or result.host_solution is None:
        raise InputError("there is no schedule to draw")
    text = schedule_svg(result.problem, result.host_solution)
    if not text:
        raise InputError(f"the schedule is too large for {target.suffix}; use .png")
    if target.suffix.lower() == ".html":
        title = html.escape(wording.title(result.problem))
        text = _PAGE.format(title=title, body=result._repr_html_())
    write_bytes(str(target), f"{text}\n".encode())


def _is_ours(path: Path) -> bool:
    """Tell whether a file is written without Matplotlib."""
    suffix = path.suffix.lower()
    return suffix == ".html" or (suffix == ".svg" and find_spec("matplotlib") is None)
