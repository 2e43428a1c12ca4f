"""``python -m prunus`` is the command ``prunus``."""

from prunus_command import main

main()
