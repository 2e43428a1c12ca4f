"""The floors of docs/architecture.md hold: imports run downwards only, and never in circles."""

from __future__ import annotations

import ast
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import prunus
from prunus.problems import PROBLEMS

PACKAGE = Path(prunus.__file__).parent

FLOORS = (
    ("errors",),
    ("_native",),
    ("model", "files"),
    ("hardware",),
    ("runtime",),
    ("treesearch",),
    ("assignment",),
    tuple(name for name in PROBLEMS if name != "assignment"),
    ("problems", "instance_names"),
    ("view",),
    ("stop", "result"),
    ("solution_file", "solving", "load_result"),
    ("plot",),
    ("read",),
    ("resume", "same_solve"),
    ("write", "solve"),
    ("solve_many",),
    ("__init__",),
    ("cli",),
    ("__main__",),
)
"""From the ground up. What stands side by side is independent, except for neighbours below."""

NEIGHBOURS = {("files", "model"), ("problems", "instance_names"), ("instance_names", "problems")}
"""Imports within a floor."""


def module_of(path: Path) -> str:
    """Return a module's name without the package's, ``a.b``; of a package that of its folder."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if len(parts) > 1 and parts[-1] == "__init__" else parts)


MODULES = {module_of(path): path for path in sorted(PACKAGE.rglob("*.py"))}


@cache
def imports(path: Path) -> list[str]:
    """Return the modules of the package that a file imports, at once or when it runs.

    What only the type checker imports does not count.
    """
    tree = ast.parse(path.read_text("utf-8"))
    checked = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not node.module or node in checked:
            continue
        package, _, rest = node.module.partition(".")
        if package == "prunus":
            for alias in node.names:
                longer = f"{rest}.{alias.name}".lstrip(".")
                known = longer in MODULES or longer == "_native"
                found.append(longer if known else rest or "__init__")
    return found


def floor_of(module: str) -> int:
    """Return on which floor a module stands."""
    room = module.split(".", maxsplit=1)[0]
    return next(number for number, rooms in enumerate(FLOORS) if room in rooms)


def test_imports_run_downwards():
    """No file imports one of a higher floor, or of another room on its own."""
    wrong: list[str] = []
    for module, path in MODULES.items():
        room = module.split(".")[0]
        for imported in imports(path):
            other = imported.split(".")[0]
            if other == room or (room, other) in NEIGHBOURS:
                continue
            if floor_of(imported) >= floor_of(module):
                wrong.append(f"{module} imports {imported}")
    assert not wrong, "\n".join(wrong)


def test_no_files_import_each_other_in_a_circle():
    """Not even through others, and not even when they run."""
    graph = {
        module: {imported for imported in imports(path) if imported != module}
        for module, path in MODULES.items()
    }
    try:
        tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        raise AssertionError(" → ".join(reversed(error.args[1]))) from None
