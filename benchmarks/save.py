"""The figures of a benchmark, kept in a file for whoever reads them by a program."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def save(figures: Mapping[str, Any], file: str | None) -> None:
    """Write figures as JSON, if a file was asked for."""
    if file:
        Path(file).write_text(json.dumps(figures, indent=1), encoding="utf-8")
