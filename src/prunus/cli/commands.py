"""Commands from functions: each parameter is an option or an argument of the command."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, get_args, get_origin, get_type_hints

import click

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


def group_of(callback: Callable[..., None], summary: str, *, drawn: bool) -> click.Group:
    """Return what holds the commands: ``prunus`` itself. ``drawn`` is as for `command_of`."""
    group: type[click.Group] = click.Group
    if drawn:
        from prunus.cli import help_pages

        group = help_pages.Group
    return group(
        name="prunus",
        callback=callback,
        help=summary,
        invoke_without_command=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def command_of(
    run: Callable[..., int | None], name: str, epilog: str | None, *, drawn: bool
) -> click.Command:
    """Return the command that runs a function.

    Its parameters are annotated with an `Option` or an `Argument`, and its docstring is the help,
    which ends with the epilog. What draws help pages is imported if ``drawn``.
    """
    hints = get_type_hints(run, include_extras=True)
    parameters: list[click.Parameter] = [
        _parameter(each.name, hints.get(each.name, each.annotation), each.default, drawn)
        for each in inspect.signature(run).parameters.values()
    ]
    command: Callable[..., click.Command] = click.Command
    if drawn:
        from prunus.cli import help_pages

        panels = help_pages.panels("Options", SEARCH, OUTPUT)
        command = partial(help_pages.Command, panels=panels)
    return command(name, callback=run, params=parameters, help=inspect.getdoc(run), epilog=epilog)


def _parameter(name: str, annotation: object, default: object, drawn: bool) -> click.Parameter:
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
        argument: Callable[..., click.Argument] = click.Argument
        if drawn:
            from rich_click import RichArgument

            argument = partial(RichArgument, help=words.help)
        return argument(
            [name],
            metavar=f"{metavar}..." if several else metavar,
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
    option: Callable[..., click.Option] = click.Option
    if drawn:
        from rich_click import RichOption

        option = partial(RichOption, panel=words.panel)
    return option(
        [name, *names],
        metavar=words.metavar,
        help=words.help,
        type=None if flag or words.count else type_,
        default=default,
        show_default=not flag and not words.count and default is not None,
        multiple=several,
        count=words.count,
        is_flag=flag,
    )
