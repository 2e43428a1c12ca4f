"""Commands from functions: each parameter is an option or an argument of the command."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, get_args, get_origin, get_type_hints

import click
from rich_click import RichArgument, RichCommand, RichGroup, RichOption, RichOptionPanel

from prunus.cli.console import READER_GONE

SEARCH = "The search"
OUTPUT = "The output"


@dataclass(frozen=True, slots=True)
class Option:
    """What the help says about an option; its type and default are those of the parameter."""

    help: str
    metavar: str | None = None
    """What stands for its value; by default the type."""
    panel: str | None = None
    """The box of the help page that it is in."""
    names: tuple[str, ...] = ()
    """With dashes; by default made from the name of the parameter, for a flag with its opposite."""
    count: bool = False
    """Whether it may be repeated; its value is the number of times."""
    minimum: int | None = None
    """The smallest number allowed."""


@dataclass(frozen=True, slots=True)
class Argument:
    """What the help says about a positional argument."""

    metavar: str
    help: str


class _Pipes:
    """A help page whose reader leaves early."""

    def get_help(self, ctx: click.Context) -> str:
        """Return the help; rich ends the process where nobody reads on, as if it had failed."""
        try:
            return super().get_help(ctx)  # type: ignore[misc, no-any-return]
        except SystemExit:
            raise click.exceptions.Exit(READER_GONE) from None


class Command(_Pipes, RichCommand):
    """A command, e.g. ``prunus solve``."""


class Group(_Pipes, RichGroup):  # type: ignore[misc]  # as RichGroup itself
    """What holds the commands: ``prunus`` itself."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands, the most wanted first."""
        return list(self.commands)


def command_of(run: Callable[..., int | None], name: str, epilog: str | None) -> Command:
    """Return the command that runs a function.

    Its parameters are annotated with an `Option` or an `Argument`, and its docstring is the help,
    which ends with the epilog.
    """
    hints = get_type_hints(run, include_extras=True)
    parameters: list[click.Parameter] = [
        _parameter(each.name, hints.get(each.name, each.annotation), each.default)
        for each in inspect.signature(run).parameters.values()
    ]
    return Command(
        name=name,
        callback=run,
        params=parameters,
        help=inspect.getdoc(run),
        epilog=epilog,
        panels=[
            RichOptionPanel("Arguments", column_types=["required", "metavar", "help"]),
            *(RichOptionPanel(title) for title in ("Options", SEARCH, OUTPUT)),
        ],
    )


def _parameter(name: str, annotation: object, default: object) -> click.Parameter:
    """Return the click parameter for a parameter of a function."""
    assert get_origin(annotation) is Annotated, name
    kind, words = get_args(annotation)
    if isinstance(kind, types.UnionType):
        kind = next(each for each in get_args(kind) if each is not type(None))
    several = get_origin(kind) is list
    if several:
        (kind,) = get_args(kind)
    type_ = click.Path(path_type=Path) if kind is Path else kind
    if isinstance(words, Argument):
        required = default is inspect.Parameter.empty
        metavar = words.metavar if required else f"[{words.metavar}]"
        return RichArgument(
            [name],
            metavar=f"{metavar}..." if several else metavar,
            help=words.help,
            type=type_,
            required=required,
            nargs=-1 if several else 1,
        )
    assert isinstance(words, Option)
    dashed = name.replace("_", "-")
    flag = kind is bool
    names = words.names or ((f"--{dashed}/--no-{dashed}",) if flag else (f"--{dashed}",))
    if words.minimum is not None:
        type_ = click.IntRange(min=words.minimum)
    return RichOption(
        [name, *names],
        metavar=words.metavar,
        help=words.help,
        panel=words.panel,
        type=None if flag or words.count else type_,
        default=default,
        show_default=not flag and not words.count and default is not None,
        multiple=several,
        count=words.count,
        is_flag=flag,
    )
