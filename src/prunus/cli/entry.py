"""The way into the command line and the way out of it: signals, errors, exit codes, pipes."""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import re
import signal
import sys
import traceback
import warnings
from collections.abc import Sequence
from types import FrameType
from typing import Any, NoReturn

import click

from prunus.cli.console import (
    READER_GONE,
    OutputError,
    answer,
    as_dashes,
    error,
    notice,
    sentence,
)
from prunus.cli.exit_code import ExitCode
from prunus.cli.streams import drop_the_rest
from prunus.errors import PrunusError
from prunus.errors import sentence as one_line
from prunus.files.paths import check_current_folder
from prunus.model.options import closest
from prunus.runtime.interrupts import Interrupts, deliver

_ENDS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP", "SIGBREAK") if hasattr(signal, name)
)
"""Signals that ask a process to end, like Ctrl-C: SIGHUP when its terminal is closed, SIGBREAK for
Ctrl-Break on Windows."""

_HELP = {"-h", "--help"}
"""Words that ask for a help page."""

_PLAINLY = {
    "is not a valid float": "is not a number",
    "is not a valid integer( range)?": "is not a whole number",
    r"is not in the range x>=(\d+)": r"is less than \1",
}
"""Words of click, as patterns, and how people say it."""


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run a command and leave the process with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show × must not cost anyone an answer.
            stream.reconfigure(errors="replace")
    for number in _ENDS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _terminate)
    warnings.showwarning = lambda message, *rest: notice(str(message))
    code: int = ExitCode.INTERRUPTED
    # A signal between the answer and the end is no reason for a traceback.
    with contextlib.suppress(KeyboardInterrupt):
        if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # as during the imports
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = run(sys.argv[1:] if args is None else args)
        # All is said; a signal that comes now must not spoil it.
        for number in (signal.SIGINT, *_ENDS):
            signal.signal(number, signal.SIG_IGN)
    gc.freeze()  # looking for unused objects before the end takes 50 ms
    sys.exit(code)


def run(args: Sequence[str]) -> int:
    """Run a command and return its exit code.

    ``args`` are the words after ``prunus``. What a user can cause has been told in one sentence on
    standard error, or with ``--json`` as an object with the field ``error`` on standard output.
    """
    as_json = "--json" in args
    try:
        with Interrupts():
            code = _invoke(list(args))
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except OutputError as problem:
        return _fail(sentence(problem), ExitCode.BAD_INPUT, as_json=False)
    except BrokenPipeError:
        drop_the_rest(sys.stdout)  # of a help page; answers see to it themselves
        return READER_GONE
    except SystemExit as leaving:
        words = (
            f"something in the process ended it with exit code {leaving.code}; nothing is proven"
        )
        return _fail(words, ExitCode.FAILURE, as_json)
    except (PrunusError, OSError) as problem:
        return _fail(sentence(problem), ExitCode.BAD_INPUT, as_json)
    except KeyboardInterrupt:
        return _fail("interrupted before there was anything to show", ExitCode.INTERRUPTED, as_json)
    except click.ClickException as problem:
        return _fail(one_line(_usage(problem)), ExitCode.BAD_INPUT, as_json)
    except MemoryError:
        return _fail("there is not enough memory for this", ExitCode.FAILURE, as_json)
    except Exception as problem:
        traceback.print_exc()
        words = f"internal failure, a defect of prunus: {type(problem).__name__}: {problem}"
        return _fail(words, ExitCode.FAILURE, as_json)
    return int(code) if isinstance(code, int) else 0


def _usage(problem: click.ClickException) -> str:
    """Return a usage error in plain words, with what the command takes instead."""
    context = problem.ctx if isinstance(problem, click.UsageError) else None
    if context is not None and isinstance(problem, click.MissingParameter) and problem.param:
        path = context.command_path
        return f"{path} needs {problem.param.metavar}; {path} --help says what that is"
    if not isinstance(problem, click.NoSuchOption) or context is None:
        words = problem.format_message()
        for pattern, plain in _PLAINLY.items():
            words = re.sub(pattern, plain, words)
        return words[:1].lower() + words[1:].removesuffix(".")
    option = problem.option_name
    known = [name for each in context.command.params for name in each.opts if name[:2] == "--"]
    known.append("--help")
    meant = closest(option.lstrip("-"), (name[2:].replace("-", "_") for name in known), ())
    nearest = meant and as_dashes(meant, ...)
    hint = f"did you mean {nearest}?" if nearest in known else f"it takes {', '.join(known)}"
    return f"{context.command_path} has no option {option}; {hint}"


def _invoke(args: list[str]) -> Any:
    check_current_folder()  # without one most libraries fail, each in its way
    from prunus.cli.app import app_for

    if "_PRUNUS_COMPLETE" in os.environ:
        from click.shell_completion import shell_complete

        asked = os.environ["_PRUNUS_COMPLETE"]
        return shell_complete(app_for(None), {}, "prunus", "_PRUNUS_COMPLETE", asked)
    # Not command(args): it makes its own sense of Ctrl-C and of broken pipes.
    command = app_for(args[0] if args else None, drawn=not args or not _HELP.isdisjoint(args))
    try:
        with command.make_context("prunus", args) as context:
            return command.invoke(context)
    finally:
        answer("", end="")  # what is still buffered, a help page: does anyone read it?


def _fail(words: str, code: ExitCode, as_json: bool) -> int:
    if as_json:
        try:
            answer(json.dumps({"error": words, "exit_code": int(code)}))
        except click.exceptions.Exit as leaving:
            return leaving.exit_code
        except OutputError:
            error(words)
    else:
        error(words)
    return int(code)


def _terminate(number: int, frame: FrameType | None) -> None:
    """Treat a request to end as Ctrl-C, whatever a running search makes of that."""
    if deliver(number, frame):
        return
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler):
        # In the background a shell has SIGINT ignored; a polite end is still wanted.
        raise KeyboardInterrupt
    handler(signal.SIGINT, frame)
