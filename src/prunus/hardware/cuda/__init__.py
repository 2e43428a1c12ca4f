"""Compiling and launching kernels: the only place that knows CuPy."""

from prunus.hardware.cuda.device import Device, available, devices, names
from prunus.hardware.cuda.source import compile_only, source

__all__ = ["Device", "available", "compile_only", "devices", "names", "source"]
