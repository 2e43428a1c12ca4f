"""Workbooks (.xlsx, .ods) as text: the first sheet, read by pandas, goes on as a CSV table."""

from __future__ import annotations

import csv
import io
import os
from typing import Any

from prunus.errors import InputError, missing_extra
from prunus.files.textfile import TextFile

_SUFFIXES = (".xlsx", ".xlsm", ".xls", ".ods")


def is_workbook(path: str) -> bool:
    return os.path.splitext(path)[1].lower() in _SUFFIXES


def load_workbook(path: str) -> TextFile:
    """Return the first sheet as a CSV table.

    Raises ``InputError`` if it is no workbook; ``MissingExtraError`` if pandas or openpyxl is not
    installed.
    """
    try:
        import pandas as pd

        sheet = pd.read_excel(path, header=None, dtype=object)
    except ImportError:
        raise missing_extra("reading a workbook", "excel") from None
    except Exception as error:  # each engine of pandas has errors of its own
        raise InputError(f"{path} is not a readable workbook: {error}") from None
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [_cell(value) for value in row] for row in sheet.itertuples(index=False)
    )
    if not text.getvalue().strip():
        raise InputError(f"{path} is empty")
    return TextFile.from_text(path, text.getvalue())


def _cell(value: Any) -> str:
    """Write a cell; whole numbers without a point, nothing for an empty one."""
    if value is None or value != value:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
