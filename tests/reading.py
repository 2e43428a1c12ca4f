"""Instances as tests read them: they know which kind it is, and mypy need not be told."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import prunus

read: Callable[..., Any] = prunus.read
