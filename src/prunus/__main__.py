"""``python -m prunus`` is the command ``prunus``."""

from prunus.cli import main

main()
