"""The commands and what they have in common."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from prunus import __version__
from prunus.cli.console import READER_GONE, answer
from prunus.model.registry import known_specs


class _UntypedFlags:
    """What commands and groups have in common: their help."""

    def format_help(self, context: Any, formatter: Any) -> None:
        """Print the help; where its reader leaves early, rich ends the process as if it failed."""
        try:
            super().format_help(context, formatter)  # type: ignore[misc]
        except SystemExit:
            raise typer.Exit(READER_GONE) from None


class Command(_UntypedFlags, TyperCommand):
    """A command, e.g. ``prunus solve``."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, the option ``--help`` among them."""
        return _without_types(super().get_params(ctx))


class Group(_UntypedFlags, TyperGroup):
    """What holds the commands: ``prunus`` itself."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, the option ``--help`` among them."""
        return _without_types(super().get_params(ctx))


def _without_types(parameters: list[Any]) -> list[Any]:
    """Leave out the type of each flag, where typer would write ``<bool>``."""
    for parameter in parameters:
        if getattr(parameter, "is_flag", False) and parameter.metavar is None:
            parameter.metavar = ""
    return parameters


*_MOST, _LAST = (spec.words.plural for spec in known_specs())
_WHAT = f"Solve {', '.join(_MOST)} and {_LAST} to proven optimality."

_CODES = (
    "Exit codes: 0 proven, 2 bad input or a file that cannot be written, 3 stopped with a feasible "
    "answer, "
    "4 stopped with nothing, 130 interrupted; 1 a defect, or not enough memory."
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


def app_for(command: str | None) -> typer.Typer:
    """Return the command line with one command, or with all if there is none of that name.

    Only what is run is imported: the options of all take as long as a small solve.
    """
    app = typer.Typer(
        name="prunus",
        cls=Group,
        help=_WHAT,
        rich_markup_mode="rich",
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    for name in [command] if command in _COMMANDS else _COMMANDS:
        run = getattr(import_module(f"prunus.cli.{name}"), _COMMANDS[name])
        app.command(name, cls=Command, epilog=_EPILOGS.get(name))(run)
    app.callback(invoke_without_command=True, help=_WHAT)(prunus)
    return app


def _version(wanted: bool) -> None:
    if wanted:
        answer(f"prunus {__version__}")
        raise typer.Exit


def prunus(
    context: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version and leave."
        ),
    ] = False,
) -> None:
    """Show the version, or the help where there is no command."""
    if context.invoked_subcommand is None:
        answer(context.get_help())
        raise typer.Exit(2)
