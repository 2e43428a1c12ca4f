"""Compiling for cores: the only place that knows the inside of Numba."""

from prunus.hardware.memory import check_room_for_compiler

check_room_for_compiler()
