"""Help pages, which rich draws: imported only where one is asked for."""

from __future__ import annotations

from typing import Any

import click
from rich_click import RichCommand, RichGroup, RichOptionPanel

from prunus.cli.console import READER_GONE


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


def panels(*titles: str) -> list[Any]:
    """Return the boxes of a page: one for the arguments, then those with these titles."""
    arguments = RichOptionPanel("Arguments", column_types=["required", "metavar", "help"])
    return [arguments, *map(RichOptionPanel, titles)]
