"""Hide what Windows does not have: a stand-in for running the tests there.

``pthread_kill`` stays: on Windows Ctrl-C wakes a main thread that sleeps, without it.

``pytest -p tests.hide_posix -o timeout_method=thread`` runs them so. Programs that tests start are
not affected, and paths stay those of this system.
"""

from __future__ import annotations

import concurrent.futures.process
import fcntl
import multiprocessing.context
import multiprocessing.popen_fork
import multiprocessing.util
import os
import selectors
import signal
import socket
import subprocess
import sys
import tempfile
import types

import _pytest.tmpdir

# Modules of the standard library that look for these parts when they are imported.
_USERS = concurrent.futures.process, multiprocessing.util, selectors, socket, subprocess, tempfile

_MODULES = "fcntl", "grp", "pwd", "resource", "termios", "tty"
_SIGNALS = (
    *("SIGHUP", "SIGKILL", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGCHLD", "SIGPIPE", "SIGQUIT"),
    *("alarm", "setitimer", "pthread_sigmask", "sigwait", "siginterrupt"),
)
_SYSTEM = (
    *("fork", "register_at_fork", "sched_getaffinity", "sysconf", "sysconf_names", "statvfs"),
    *("geteuid", "getuid", "getgid", "getpgid", "setsid", "killpg", "nice", "mkfifo"),
    *("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "fchmod", "chown", "getloadavg"),
)


class Windows(types.ModuleType):
    """What is used of ``msvcrt``."""

    LK_NBLCK = fcntl.LOCK_EX | fcntl.LOCK_NB

    @staticmethod
    def locking(file: int, how: int, count: int) -> None:
        """Lock a file."""
        fcntl.flock(file, how)


def hide() -> None:
    """Take away modules, signals and functions that only POSIX systems have."""
    sys.modules["msvcrt"] = Windows("msvcrt")
    for name in _MODULES:
        sys.modules[name] = None
    for module, names in ((signal, _SIGNALS), (os, _SYSTEM)):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    # Windows ends a process without a signal; here the number of SIGKILL is left.
    setattr(subprocess.Popen, "kill", lambda process: process.send_signal(9))  # noqa: B010
    setattr(multiprocessing.popen_fork.Popen, "kill", lambda popen: popen._send_signal(9))  # noqa: B010
    for kind in ("fork", "forkserver"):
        getattr(multiprocessing.context, "_concrete_contexts").pop(kind, None)  # noqa: B009
    multiprocessing.set_start_method("spawn", force=True)


def pytest_configure() -> None:
    """Hide them before any test is imported."""
    hide()
    # pytest asks for the name of the system, which stays what it is.
    setattr(_pytest.tmpdir, "get_user_id", lambda: None)  # noqa: B010
