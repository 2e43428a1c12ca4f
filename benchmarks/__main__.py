"""List the benchmarks: ``python -m benchmarks``.

``compare`` runs prunus beside other solvers, ``states`` one state of it beside another.
"""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).parent


def commands() -> dict[str, str]:
    """Return the first line of every script's docstring, by what ``python -m`` calls it."""
    found = {}
    for path in sorted(HERE.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "\nif __name__ ==" in text and path.name != "__main__.py":
            name = ".".join(path.relative_to(HERE.parent).with_suffix("").parts)
            found[name] = (ast.get_docstring(ast.parse(text)) or "").splitlines()[0]
    return found


if __name__ == "__main__":
    for module in ("benchmarks.compare.__main__", "benchmarks.states"):
        if sys.argv[1:2] == module.split(".")[1:2]:
            sys.exit(import_module(module).main(sys.argv[2:]))
    for name, what in commands().items():
        print(f"{name:36} {what}")
