"""Where the command ``prunus`` begins, before the package is imported.

The imports take some tenths of a second. Ctrl-C then ends the process as it ends any program,
without Python's traceback; later `prunus.cli` sees to it.
"""

import signal


def main() -> None:
    """Run the command line."""
    # An ignored signal stays ignored, as a shell has it for what runs in the background.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from prunus.cli import main

    main()
