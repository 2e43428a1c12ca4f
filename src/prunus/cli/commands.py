"""How commands show their options: a flag takes no value, so that its help names no type."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand, TyperGroup

__all__ = ["Command", "Group"]


class Command(TyperCommand):
    """A command, e.g. ``prunus solve``."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the parameters, the option ``--help`` among them."""
        return _without_types(super().get_params(ctx))


class Group(TyperGroup):
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
