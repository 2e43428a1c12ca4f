"""What is kept of a run: results as JSON, a summary, and all logs in one file, at any moment."""

from __future__ import annotations

import json
import os
import tarfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.cards.run import Outcome

__all__ = ["Record"]

EVERY = 10.0
"""Seconds between two times at which everything is written."""

TAIL = 25
"""Lines of a log that are shown of a topic that did not end well."""


class Record:
    """Writes ``results.json``, ``summary.txt`` and ``logs.tar.gz``.

    Parameters
    ----------
    folder
        Where.
    logs
        The folder of the logs.
    about
        The machine, the date, the version.
    wanted
        What is asked for, see ``card_figures``.
    """

    def __init__(
        self, folder: Path, logs: Path, about: dict[str, Any], wanted: Sequence[Any]
    ) -> None:
        self._folder, self._logs, self._about, self._wanted = folder, logs, about, wanted
        self.outcomes: Sequence[Outcome] = ()
        self._lock = threading.Lock()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._often, daemon=True)
        folder.mkdir(parents=True, exist_ok=True)

    def __enter__(self) -> Record:
        """Begin to write every few seconds."""
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Write a last time."""
        self._done.set()
        self._thread.join()
        self.save()

    def _often(self) -> None:
        while not self._done.wait(EVERY):
            self.save()

    def texts(self) -> dict[str, str]:
        """Return all logs by the names of their topics."""
        files = sorted(self._logs.glob("*.log"))
        return {file.stem: file.read_text("utf-8", "replace") for file in files}

    def figures(self) -> list[dict[str, Any]]:
        """Return each thing that is asked for, with what was measured."""
        texts = self.texts()
        return [wanted.judge(texts) for wanted in self._wanted]

    def save(self) -> None:
        """Write everything, each file at once."""
        with self._lock:
            figures = self.figures()
            topics = [outcome.as_dict() for outcome in self.outcomes]
            found = {**self._about, "figures": figures, "topics": topics}
            self._write("results.json", json.dumps(found, indent=1) + "\n")
            self._write("summary.txt", self.summary() + "\n")
            new = self._folder / "logs.tar.gz.new"
            with tarfile.open(new, "w:gz") as archive:
                archive.add(self._logs, "logs")
            os.replace(new, self._folder / "logs.tar.gz")

    def _write(self, name: str, text: str) -> None:
        new = self._folder / f"{name}.new"
        new.write_text(text, "utf-8")
        os.replace(new, self._folder / name)

    def summary(self) -> str:
        """Return what ended how, the ends of logs that ended badly, and the table last."""
        texts = self.texts()
        lines = [outcome.line() for outcome in self.outcomes]
        for outcome in self.outcomes:
            if outcome.state in ("failed", "too slow"):
                lines += ["", f"--- {outcome.line()}"]
                lines += [line[:160] for line in texts[outcome.topic.name].splitlines()[-TAIL:]]
        lines += ["", f"{'issue':5} {'must show':58} {'target':>10} {'measured':>10}"]
        lines += [
            f"{f['issue']:<5} {f['says']:58} {f['target']:>10} {f['shown']:>10} {f['verdict']}"
            for f in self.figures()
        ]
        return "\n".join(lines)
