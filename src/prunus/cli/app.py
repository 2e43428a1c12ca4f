"""The commands and what they have in common."""

from __future__ import annotations

from importlib import import_module

import click

from prunus import __version__
from prunus.cli.commands import command_of, group_of
from prunus.cli.console import answer
from prunus.model.registry import known_specs

*_MOST, _LAST = (spec.words.plural for spec in known_specs())
_WHAT = f"Solve {', '.join(_MOST)} and {_LAST} to proven optimality."

_CODES = (
    "Exit codes: 0 proven, 2 bad input or a file that cannot be written, 3 stopped with a feasible "
    "solution, "
    "4 stopped without one, 130 interrupted; 1 a bug, or not enough memory."
)
_BENCH_CODES = (
    "Exit codes: 0 all proven, 1 a wrong answer or a device that failed, 2 bad input, 3 or 4 "
    "stopped by a limit, 130 interrupted."
)
_EPILOGS = {"solve": _CODES, "resume": _CODES, "bench": _BENCH_CODES}

_COMMANDS = {
    "solve": "solve",
    "resume": "resume",
    "bench": "bench",
    "compile": "compile_ahead",
    "generate": "generate",
    "info": "info",
}
"""What each command runs, in the module of its name."""


def app_for(command: str | None, *, drawn: bool = True) -> click.Group:
    """Return the command line with one command, or with all if there is none of that name.

    Only what is run is imported: the options of all take as long as a small solve, and so does
    what draws help pages, which is left out unless they are to be ``drawn``.
    """
    group = group_of(prunus, _WHAT, drawn=drawn)
    group.params.append(_VERSION)
    if command == "--version":
        return group
    for name in [command] if command in _COMMANDS else _COMMANDS:
        run = getattr(import_module(f"prunus.cli.{name}"), _COMMANDS[name])
        group.add_command(command_of(run, name, _EPILOGS.get(name), drawn=drawn))
    return group


def _show_version(context: click.Context, option: click.Parameter, wanted: bool) -> None:
    if wanted:
        answer(f"prunus {__version__}")
        raise click.exceptions.Exit


_VERSION = click.Option(
    ["--version"],
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version and exit.",
)


@click.pass_context
def prunus(context: click.Context) -> None:
    """Show the help where there is no command."""
    if context.invoked_subcommand is None:
        answer(context.get_help())
