"""Text that must be JSON, read strictly: a sentence for whatever is wrong with it."""

from __future__ import annotations

import json
from typing import Any

from prunus.errors import InputError
from prunus.files.textfile import TextFile


def is_json(file: TextFile) -> bool:
    """Tell whether a file begins as JSON does."""
    return next(file.numbered()).text.lstrip()[:1] in ("{", "[")


def load_object(file: TextFile) -> dict[str, Any]:
    """Return the fields of the object.

    Raises ``InputError`` if it is none; see ``load_json``.
    """
    found = load_json(file)
    if not isinstance(found, dict):
        raise file.error(f"it holds a {type(found).__name__}, not an object with named fields")
    return found


def load_json(file: TextFile) -> Any:
    """Return what a file holds.

    Raises ``InputError`` naming the line, if it is not JSON, or what else is wrong.
    """
    try:
        return json.loads(file.text, object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        raise file.error(f"not JSON ({error.msg})", error.lineno) from None
    except InputError as error:
        raise file.error(str(error)) from None
    except ValueError:  # an integer of thousands of digits
        raise file.error("a number in it has thousands of digits") from None
    except RecursionError:
        raise file.error("lists in it are nested hundreds deep") from None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return the fields of an object; refuse one that is there twice, of which Python drops one."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"the field {twice!r} is there twice")
    return found
