"""The signal that ends a process at once."""

from __future__ import annotations

import signal

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # Windows has only the second, and it kills
